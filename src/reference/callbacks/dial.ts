// Opens a connection to addresses that were judged, and to nothing else; the name is only what TLS asks the endpoint for.
import { isIP, connect as netConnect, type Socket } from "node:net";
import { type SecureContext, connect as tlsConnect } from "node:tls";
import { settled } from "../../network/index.ts";
import type { Clock } from "../clock.ts";
import { CallFailure, codeOf } from "./call-failure.ts";
import { bareHost, portOf } from "./callback-url.ts";

export type OpenTcp = (target: { address: string; port: number }) => Socket;

export interface DialOptions {
	clock: Clock;
	/** Whom TLS trusts. */
	trust(): SecureContext;
	openTcp: OpenTcp;
}

export interface DialTarget {
	url: URL;
	/** Judged, one at least. */
	addresses: readonly string[];
	signal: AbortSignal;
}

/** A name may have any number of addresses; more than these are not tried. */
const MOST_ADDRESSES = 4;
/** How long an address may take while there is another one. */
const NEXT_ADDRESS_MS = 1_000;

export const openTcp: OpenTcp = ({ address, port }) =>
	netConnect({ host: address, port });

/** Tries one address after the other; over TLS where the URL says https. Throws CallFailure, or the signal's reason. */
export async function dial(
	options: DialOptions,
	target: DialTarget,
): Promise<Socket> {
	const socket = await dialTcp(options, target);
	socket.setNoDelay(true);
	return target.url.protocol === "https:"
		? await secure(socket, options, target)
		: socket;
}

async function dialTcp(
	{ clock, openTcp }: DialOptions,
	{ url, addresses, signal }: DialTarget,
): Promise<Socket> {
	const tried = addresses.slice(0, MOST_ADDRESSES);
	let failure: unknown;
	for (const [at, address] of tried.entries()) {
		signal.throwIfAborted();
		const socket = openTcp({ address, port: portOf(url) });
		const isLast = at === tried.length - 1;
		const stopWaiting = isLast
			? () => {}
			: clock.setTimer(
					() => socket.destroy(new CallFailure("timeout")),
					NEXT_ADDRESS_MS,
				);
		try {
			await settled(socket, "connect", signal);
			return socket;
		} catch (error) {
			failure = error;
		} finally {
			stopWaiting();
		}
	}
	signal.throwIfAborted();
	if (failure instanceof CallFailure) throw failure;
	const isSilent = codeOf(failure) === "ETIMEDOUT";
	throw new CallFailure(isSilent ? "timeout" : "connection_refused", {
		cause: failure,
	});
}

/** Whatever goes wrong between TCP and TLS is TLS's: the endpoint may only have hung up on what it could not read. */
async function secure(
	raw: Socket,
	{ trust }: DialOptions,
	{ url, signal }: DialTarget,
): Promise<Socket> {
	const host = bareHost(url).replace(/\.$/, "");
	const socket = tlsConnect({
		socket: raw,
		secureContext: trust(),
		// Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
		rejectUnauthorized: true,
		ALPNProtocols: ["http/1.1"],
		host,
		// An address is no name that TLS may ask for; the certificate must hold it all the same.
		servername: isIP(host) ? "" : host,
	});
	try {
		await settled(socket, "secureConnect", signal);
		return socket;
	} catch (cause) {
		raw.destroy();
		signal.throwIfAborted();
		throw new CallFailure("tls_error", { cause });
	}
}
