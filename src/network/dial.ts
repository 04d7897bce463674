// Opens one TCP connection: how its name is looked up, how long it may take, and how its socket is set.
import {
	type LookupFunction,
	connect as netConnect,
	type Socket,
} from "node:net";
import { connectFault } from "./connection-faults.ts";
import { lookupBy, type NameServer } from "./name-server.ts";
import { bareHost } from "./proxy.ts";

/** How a socket is opened, whoever is at its end. */
export interface Dial {
	/** Ends the attempt. */
	signal: AbortSignal;
	/** In place of this machine's own way. */
	lookup?: LookupFunction;
}

/** Where two addresses are known, how long the first may take before the other is tried. */
const ADDRESS_ATTEMPT_MS = 1_000;
const KEEP_ALIVE_AFTER_MS = 60_000;

/** A dial that asks `resolver`, if there is one. */
export function dialFor(
	{
		resolver,
		connectTimeoutMs,
	}: { resolver?: NameServer | undefined; connectTimeoutMs: number },
	signal: AbortSignal,
): Dial {
	if (!resolver) return { signal };
	const limits = { timeoutMs: connectTimeoutMs, signal };
	return { signal, lookup: lookupBy(resolver, limits) };
}

/** Opens a socket to a server or a proxy; whatever fails is a fault. */
export async function openTcp(
	url: URL,
	{ signal, ...by }: Dial,
): Promise<Socket> {
	const socket = netConnect({
		...by,
		host: bareHost(url),
		port: portOf(url),
		autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
	});
	try {
		await settled(socket, "connect", signal);
	} catch (error) {
		throw connectFault(error, url);
	}
	return tuned(socket);
}

/** Waits for `event`; on an error, a close or the signal the socket is destroyed. */
export function settled(socket: Socket, event: string, signal: AbortSignal) {
	return new Promise<void>((resolve, reject) => {
		const fail = (error: unknown) => {
			signal.removeEventListener("abort", abort);
			socket.destroy();
			reject(error);
		};
		const abort = () => fail(signal.reason);
		const gone = () => fail(new Error("the connection was closed"));
		// Stays on: an error between here and the first request must not be unhandled.
		socket.on("error", fail);
		socket.once("close", gone);
		socket.once(event, () => {
			signal.removeEventListener("abort", abort);
			socket.off("close", gone);
			resolve();
		});
		if (signal.aborted) abort();
		else signal.addEventListener("abort", abort);
	});
}

export function tuned(socket: Socket): Socket {
	return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_AFTER_MS);
}

/** The port of a URL, said or not. */
export function portOf(url: URL): number {
	return Number(url.port) || (url.protocol === "https:" ? 443 : 80);
}
