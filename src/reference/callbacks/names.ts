// Asks for the addresses of a host name: this machine's own way, or one name server by itself.
import { lookup } from "node:dns/promises";
import {
	type NameServer,
	type Names,
	openNames as openServerNames,
} from "../../network/index.ts";
import { CallFailure, codeOf } from "./call-failure.ts";

export type { Names };

const NO_ANSWER = new Set(["ETIMEOUT", "EAI_AGAIN"]);

/**
 * Without a server: as every program of this machine resolves, its hosts file included. Asking throws CallFailure where
 * nobody could tell.
 */
export function openNames(server: NameServer | undefined): Names {
	const names = server
		? openServerNames(server)
		: { addressesOf: askMachine, close() {} };
	return {
		addressesOf: (host) => names.addressesOf(host).catch(fail),
		close: () => names.close(),
	};
}

async function askMachine(host: string): Promise<string[]> {
	try {
		const found = await lookup(host, { all: true });
		return found.map(({ address }) => address);
	} catch (error) {
		if (codeOf(error) === "ENOTFOUND") return [];
		throw error;
	}
}

function fail(cause: unknown): never {
	const reason = NO_ANSWER.has(codeOf(cause))
		? "timeout"
		: "connection_refused";
	throw new CallFailure(reason, { cause });
}
