// Asks for the addresses of a host name: this machine's own way, or one name server by itself.
import { lookup, Resolver } from "node:dns/promises";
import { isIP, isIPv6 } from "node:net";
import { Fault } from "../../faults/index.ts";
import { CallFailure, codeOf } from "./call-failure.ts";

export interface Names {
	/**
	 * Every address of a name; none where it does not exist. Throws CallFailure where nobody could tell. A chain of
	 * aliases is followed by the name server.
	 */
	addressesOf(host: string): Promise<string[]>;
	close(): void;
}

const QUESTION_MS = 1_500;
const TRIES = 2;
const NO_SUCH_NAME = new Set(["ENOTFOUND", "ENODATA"]);
const NO_ANSWER = new Set(["ETIMEOUT", "EAI_AGAIN"]);

/** Without a server: as every program of this machine resolves, its hosts file included. Throws `wrong-use`. */
export function openNames(
	server: { host: string; port: number } | undefined,
): Names {
	if (!server) return { addressesOf: askMachine, close() {} };
	if (isIP(server.host) === 0)
		throw new Fault("wrong-use", {
			what: `${JSON.stringify(server.host)} is no name server`,
			why: "--resolver takes the IP address of one, and its port",
			next: "--resolver 127.0.0.1:5353",
		});
	const resolver = new Resolver({ timeout: QUESTION_MS, tries: TRIES });
	const host = isIPv6(server.host) ? `[${server.host}]` : server.host;
	resolver.setServers([`${host}:${server.port}`]);
	return {
		addressesOf: (name) => askServer(resolver, name),
		close: () => resolver.cancel(),
	};
}

async function askMachine(host: string): Promise<string[]> {
	try {
		const found = await lookup(host, { all: true });
		return found.map(({ address }) => address);
	} catch (error) {
		return noneOrThrow(error);
	}
}

async function askServer(resolver: Resolver, host: string): Promise<string[]> {
	const [v4, v6] = await Promise.allSettled([
		resolver.resolve4(host),
		resolver.resolve6(host),
	]);
	const found = [v4, v6].flatMap((answer) =>
		answer.status === "fulfilled" ? answer.value : [],
	);
	if (found.length > 0) return found;
	// One family that is known to have nothing says little while the other could not be asked for.
	for (const answer of [v4, v6])
		if (answer.status === "rejected") noneOrThrow(answer.reason);
	return [];
}

function noneOrThrow(cause: unknown): string[] {
	const code = codeOf(cause);
	if (NO_SUCH_NAME.has(code)) return [];
	const reason = NO_ANSWER.has(code) ? "timeout" : "connection_refused";
	throw new CallFailure(reason, { cause });
}
