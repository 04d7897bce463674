// From flags to an open session: credentials, certificates, the log of messages and the child's stderr are joined here.
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import type { Session, SessionTarget } from "../../session/index.ts";
import { readTextFile } from "../flags/files.ts";
import { PROGRAM } from "../process/program-name.ts";
import type { World } from "../process/world.ts";
import { patience } from "./patience.ts";

/** How a server is reached. */
export interface ReachFlags {
	header?: string[] | undefined;
	"bearer-env"?: string | undefined;
	"connect-timeout": number;
	ca?: string | undefined;
	insecure: boolean;
	/** HOST:PORT of a name server. */
	resolver?: string | undefined;
}

/** What the connection flags say (flags.ts, connectionFlags), by their own names. */
export interface ConnectionFlags extends ReachFlags {
	timeout: number;
	force: boolean;
	"max-message": number;
	"log-rpc"?: string | undefined;
}

/** Opens a session to a server that offers Events. Whoever asked closes it. `streams`: how many will be open at once. */
export async function connect(
	server: ServerAddress,
	flags: ConnectionFlags,
	pieces: { world: World; output: Output; streams?: number },
): Promise<Session> {
	const { world, output } = pieces;
	const target = await describeTarget(server, flags, pieces);
	const secrets = credentialsOf(target);
	output.hide(secrets);
	const { openSession, openRpcLog } = await import("../../session/index.ts");
	const log = flags["log-rpc"]
		? openRpcLog(flags["log-rpc"], { now: world.now, secrets })
		: undefined;
	output.status(`asking ${addressText(server)}`);
	const patiently = patience(world, output);
	const open = () =>
		openSession(target, {
			timeoutMs: flags.timeout,
			connectTimeoutMs: flags["connect-timeout"],
			maxMessageBytes: flags["max-message"],
			force: flags.force,
			clientInfo: PROGRAM,
			note: (text) => output.note(text),
			log,
			onStderrLine: (line) => output.childLine(line),
			atExit: world.atExit,
			signal: world.stop,
			streams: pieces.streams ?? 1,
			patiently,
		});
	try {
		const session = await patiently(open);
		output.source = session.server.label;
		return session;
	} catch (error) {
		log?.close();
		throw error;
	} finally {
		output.status(undefined);
	}
}

/** All that is secret in how a server is reached. */
export function credentialsOf(target: SessionTarget): string[] {
	if (target.kind === "stdio") return [];
	const { headers, bearer = "", url } = target;
	const inHeaders = headers.map(([, value]) => value);
	return [...inHeaders, bearer, ...url.searchParams.values()];
}

const addressText = (server: ServerAddress) =>
	server.kind === "http" ? server.url.host : server.command;

/** How the flags say that a server is reached. Throws `wrong-use`. */
export async function describeTarget(
	server: ServerAddress,
	flags: ReachFlags,
	{ world, output }: { world: World; output: Output },
): Promise<SessionTarget> {
	if (server.kind === "stdio") {
		refuseHttpFlags(flags);
		return { ...server, env: world.env, cwd: world.cwd };
	}
	const bearer = readBearer(flags["bearer-env"], world.env);
	const headers = (flags.header ?? []).map((text) => parseHeader(text));
	const hasSecret = bearer !== undefined || headers.length > 0;
	if (hasSecret && (await isPlainRemote(server.url)))
		output.warn(
			`credentials go to ${server.url.host} over plain http, readable by anyone on the way; use https`,
		);
	if (flags.insecure)
		output.warn("--insecure: the server's certificate is not checked");
	return {
		...server,
		headers,
		bearer,
		ca: flags.ca ? await readTextFile(flags.ca, "--ca") : undefined,
		insecure: flags.insecure,
		env: world.env,
		resolver: await readResolver(flags.resolver),
	};
}

/** `K: V` as a pair; the value is never repeated in the fault, it may be a secret. */
export function parseHeader(text: string, flag = "--header"): [string, string] {
	const colon = text.indexOf(":");
	if (colon < 1)
		throw new Fault("wrong-use", {
			what: `a ${flag} has no name before a colon`,
			why: `it has ${text.length} characters; a value is not repeated here, it may be secret`,
			next: `${flag} 'Authorization: Bearer TOKEN'`,
		});
	return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}

/** The token that --bearer-env names; undefined where the flag is not given. Throws `wrong-use`. */
export function readBearer(name: string | undefined, env: World["env"]) {
	if (name === undefined) return undefined;
	const token = env[name]?.trim();
	if (token) return token;
	throw new Fault("wrong-use", {
		what: `--bearer-env ${name}: that environment variable is ${token === undefined ? "not set" : "empty"}`,
		why: "the token is read from there, so that it stands in no history and no list of processes",
		next: `export ${name}=TOKEN`,
	});
}

function refuseHttpFlags(flags: ReachFlags): void {
	const given = [
		flags.header?.length ? "--header" : "",
		flags["bearer-env"] ? "--bearer-env" : "",
		flags.ca ? "--ca" : "",
		flags.insecure ? "--insecure" : "",
		flags.resolver ? "--resolver" : "",
	].filter(Boolean);
	if (given.length > 0)
		throw new Fault("wrong-use", {
			what: `${given.join(" and ")} cannot be used with a command after --`,
			why: "they are about HTTP; a server over stdio takes its credentials from the environment",
			next: "VAR=value mcp-events … -- COMMAND",
		});
}

/** Throws `wrong-use`. */
async function readResolver(text: string | undefined) {
	if (text === undefined) return undefined;
	const { parseNameServer } = await import("../../network/index.ts");
	return parseNameServer(text);
}

async function isPlainRemote(url: URL): Promise<boolean> {
	if (url.protocol !== "http:") return false;
	const { bareHost, isLoopback } = await import("../../network/index.ts");
	return !isLoopback(bareHost(url));
}
