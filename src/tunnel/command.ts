// A tunnel by a command of the user's: `ngrok http {port}`. No shell; the first public address that it prints is ours.
import { basename } from "node:path";
import { Fault, splitShellWords } from "../faults/index.ts";
import type { LineReader } from "./start.ts";

export interface TunnelCommand {
	command: string;
	args: string[];
}

const PORT = "{port}";
const EXAMPLE = "--tunnel 'ngrok http {port}'";

/** The words of a template for one port. Throws `wrong-use` where it is empty or a quote is left open. */
export function parseTunnelCommand(
	template: string,
	port: number,
): TunnelCommand {
	const words = splitShellWords(template);
	if (!words)
		throw new Fault("wrong-use", {
			what: "the command of --tunnel has a quote or a backslash that leads nowhere",
			next: EXAMPLE,
		});
	const [command, ...args] = words.map((word) =>
		word.replaceAll(PORT, String(port)),
	);
	if (!command)
		throw new Fault("wrong-use", {
			what: "the command of --tunnel is empty",
			next: EXAMPLE,
		});
	return { command, args: [...args, ...whatItNeeds(command, args)] };
}

/** Without this, ngrok says its address to a terminal only. */
function whatItNeeds(command: string, args: readonly string[]): string[] {
	const isNgrok = /^ngrok(?:\.exe)?$/i.test(basename(command));
	return isNgrok && !args.some((arg) => arg.startsWith("--log"))
		? ["--log=stdout"]
		: [];
}

/** Reads the first https address off any program's output that is not one of a tunnel service's own pages. */
export function readPublicUrl(): LineReader {
	return (line) => {
		const found = line.matchAll(
			/https:\/\/[a-z\d-]+(?:\.[a-z\d-]+)+(?::\d{1,5})?(?:\/[\w.~%/-]*)?/gi,
		);
		for (const [text] of found) {
			const url = parseUrl(text.replace(/[./-]+$/, ""));
			if (url && isPublic(url.hostname))
				return url.origin + url.pathname.replace(/\/+$/, "");
		}
		return undefined;
	};
}

function parseUrl(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

/** Sites of the services themselves: manuals, dashboards, logins, and what they ask for a tunnel. */
const NO_TUNNEL_THERE =
	/^(?:(?:.+\.)?(?:ngrok\.com|equinox\.io|cloudflare\.com|tailscale\.com|github\.com|githubusercontent\.com|microsoft\.com|microsoftonline\.com|aka\.ms|twitter\.com|x\.com)|(?:api\.)?trycloudflare\.com|(?:(?:www|dashboard|docs|admin|console|api(?:-v\d)?|login)\.)?(?:localhost\.run|pinggy\.io|serveo\.net|zrok\.io|loca\.lt|localtunnel\.me|localtunnel\.github\.io))$/;

function isPublic(host: string): boolean {
	const isLocal = /^(?:localhost|.*\.localhost|[\d.]+)$/.test(host);
	return !isLocal && !NO_TUNNEL_THERE.test(host);
}
