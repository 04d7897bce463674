// Turns SERVER into how to reach it: a URL, or the command that stood after `--` (product.md, Naming a server).
import { Fault } from "../faults/index.ts";

export type ServerAddress =
	| { kind: "http"; url: URL }
	| { kind: "stdio"; command: string; args: string[] };

/** Reads SERVER as a URL; throws `wrong-use` for anything else. Credentials in it are refused and not shown. */
export function parseServerUrl(word: string): ServerAddress {
	const url = URL.canParse(word) ? new URL(word) : undefined;
	if (url?.protocol !== "http:" && url?.protocol !== "https:")
		throw new Fault("wrong-use", {
			what: `SERVER ${JSON.stringify(withoutUserInfo(word))} is not an http or https URL`,
			why: "a server is named by its URL, or by a command after --",
			next: suggestion(word),
		});
	if (url.username || url.password)
		throw new Fault("wrong-use", {
			what: `the URL of ${url.host} carries a user name or password`,
			why: "a URL is kept in histories and logs, so credentials there are not sent",
			next: "--header 'Authorization: Basic …', or --bearer-env VAR",
		});
	return { kind: "http", url };
}

/** The command after `--`; throws `wrong-use` where nothing follows. */
export function parseServerCommand(words: string[]): ServerAddress {
	const [command, ...args] = words;
	if (!command)
		throw new Fault("wrong-use", {
			what: "no command follows --",
			why: "what stands after -- is the server to start over stdio",
			next: "-- node server.js",
		});
	return { kind: "stdio", command, args };
}

const withoutUserInfo = (word: string) => word.replace(/\/\/[^/@]*@/, "//…@");

function suggestion(word: string): string {
	const looksLikeHost = /^[\w.-]+(:\d+)?(\/\S*)?$/.test(word);
	if (!looksLikeHost) return "https://HOST/mcp, or -- COMMAND at the end";
	const isLocal = /^(localhost|127\.|\[::1\])/.test(word);
	return `${isLocal ? "http" : "https"}://${word}, or -- ${word} at the end to start it as a command`;
}
