// One DNS server that is asked for the addresses of host names, in place of this machine's own way.
import { lookup } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, isIPv6, type LookupFunction } from "node:net";
import { Fault } from "../faults/index.ts";
import { codeOf } from "./connection-faults.ts";
import { isLoopback } from "./proxy.ts";
import { openLimit } from "./time-limit.ts";

export interface NameServer {
	/** An IP address. */
	host: string;
	port: number;
}

export interface Names {
	/**
	 * The addresses of a name, those of IPv4 first, and of one family alone where the other has no answer; none where it
	 * does not exist. Rejects with the error of node:dns where nobody could tell. A chain of aliases is followed by the
	 * name server.
	 */
	addressesOf(host: string): Promise<string[]>;
	/** Ends the questions that have no answer yet. */
	close(): void;
}

const PORT = 53;
/** What c-ares makes of these, its second try being longer, is about five seconds. */
const QUESTION_MS = 1_500;
const TRIES = 2;
/** How long the addresses of one family wait for those of the other. */
const OTHER_FAMILY_MS = 300;
/** Of the time for a connection: so that it is told what was waited for. */
const LOOKUP_SHARE = 0.75;
const NO_SUCH_NAME = new Set(["ENOTFOUND", "ENODATA"]);
const NO_ANSWER = new Set(["ETIMEOUT", "ECONNREFUSED"]);

/** HOST:PORT, where HOST is an IP address; IPv6 stands in brackets. Port 53 may be left out. Throws `wrong-use`. */
export function parseNameServer(text: string): NameServer {
	const parts = /^(?:\[([^\]]+)\]|([0-9.]+))(?::(\d{1,5}))?$/.exec(text);
	const host = parts?.[1] ?? parts?.[2] ?? "";
	const port = Number(parts?.[3] ?? PORT);
	if (isIP(host) !== 0 && port > 0 && port <= 65_535) return { host, port };
	throw new Fault("wrong-use", {
		what: `--resolver ${JSON.stringify(text.slice(0, 80))} is no name server`,
		why: "it is the IP address of one, with a port",
		next: "--resolver 127.0.0.1:5353",
	});
}

/** Each question is asked anew; nothing is kept. */
export function openNames(server: NameServer): Names {
	const resolver = new Resolver({ timeout: QUESTION_MS, tries: TRIES });
	resolver.setServers([labelOf(server)]);
	return {
		addressesOf: (host) => ask(resolver, host),
		close: () => resolver.cancel(),
	};
}

/**
 * How a socket finds the addresses of a host: by `server`, loopback apart. It fails with `dns-failed`, always before
 * `timeoutMs`, and asks no longer once `signal` aborts.
 */
export function lookupBy(
	server: NameServer,
	{ timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): LookupFunction {
	return (host, options, done) => {
		if (isLoopback(host)) return lookup(host, options, done);
		const names = openNames(server);
		const limit = openLimit({
			signals: [signal],
			timeoutMs: timeoutMs * LOOKUP_SHARE,
			onTimeout: () => nameFault(host, server, { code: "ETIMEOUT" }),
		});
		const end = () => {
			limit.end();
			names.close();
		};
		limit
			.race(namedAddresses(names, host, server))
			.finally(end)
			.then(
				(found) => {
					const [first] = found;
					if (options.all) done(null, found);
					else done(null, first?.address ?? "", first?.family);
				},
				(error) => done(error, []),
			);
	};
}

async function namedAddresses(names: Names, host: string, server: NameServer) {
	let found: string[];
	try {
		found = await names.addressesOf(host);
	} catch (error) {
		throw nameFault(host, server, error);
	}
	if (found.length === 0) throw nameFault(host, server, undefined);
	return found.map((address) => ({ address, family: isIP(address) }));
}

/** Both families at once; one that is silent holds up the addresses of the other for a moment only. */
async function ask(resolver: Resolver, host: string): Promise<string[]> {
	const found: string[][] = [[], []];
	const errors: unknown[] = [];
	const questions = [resolver.resolve4(host), resolver.resolve6(host)].map(
		(question, family) =>
			question.then(
				(addresses) => {
					found[family] = addresses;
				},
				(error) => {
					errors.push(error);
				},
			),
	);
	const all = Promise.all(questions);
	await Promise.race(questions);
	if (found.flat().length === 0) await all;
	else await atMost(OTHER_FAMILY_MS, all);
	if (found.flat().length > 0) return found.flat();
	// One family that is known to have nothing says little while the other could not be asked for.
	for (const error of errors) if (!NO_SUCH_NAME.has(codeOf(error))) throw error;
	return [];
}

async function atMost(ms: number, event: Promise<unknown>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const over = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, ms);
	});
	await Promise.race([event, over]);
	clearTimeout(timer);
}

/** `error`: why nobody could tell; undefined: the name server knows no address. */
function nameFault(host: string, server: NameServer, error: unknown): Fault {
	const who = `the name server ${labelOf(server)} of --resolver`;
	const code = codeOf(error);
	const isSilent = NO_ANSWER.has(code);
	const said = isSilent ? "did not answer" : "could not tell";
	return new Fault("dns-failed", {
		what: `the host name ${host} could not be resolved`,
		why:
			error === undefined
				? `${who} knows no address of it`
				: `${who} ${said} (${code})`,
		next: isSilent
			? "check that it runs and can be reached, or leave --resolver out"
			: "check the spelling of the host, or leave --resolver out",
		cause: error,
	});
}

function labelOf({ host, port }: NameServer): string {
	return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
