// The address of a tunnel as a receiver is told it, with whatever is to be shown of the tunnel.
import type { Output } from "../output/index.ts";
import type { Tunnel } from "../tunnel/index.ts";
import { tunnelOf } from "./tunnel-words.ts";
import type { World } from "./world.ts";

export interface PublicAddress {
	url: string;
	/** Each address that takes the place of the one before. */
	changes: AsyncIterable<string>;
	/** Aborted, with the fault, once the address cannot be held any longer. Only while `changes` is read. */
	lost: AbortSignal;
	/** Ends the tunnel. Nothing runs on when it resolves. */
	[Symbol.asyncDispose](): Promise<void>;
}

/** Opens the tunnel that --tunnel asks for; resolves when deliveries can arrive through it. */
export async function openPublicAddress(
	flag: string,
	port: number,
	{ world, output }: { world: World; output: Output },
): Promise<PublicAddress> {
	const { openTunnel } = await import("../tunnel/index.ts");
	const { env, now, sleep, atExit, stop } = world;
	const via = tunnelOf(flag);
	let isFetching = false;
	output.status("waiting for the tunnel");
	try {
		const tunnel = await openTunnel(via, port, {
			env,
			now,
			sleep,
			atExit,
			note: (text) => output.say(text),
			onProgress(text) {
				if (text !== undefined && !isFetching)
					output.say(
						"cloudflared is not on this machine: it is fetched once, from github.com/cloudflare/cloudflared",
					);
				isFetching = true;
				output.status(text ?? "waiting for the tunnel");
			},
			signal: stop,
		});
		return followTunnel(tunnel);
	} finally {
		output.status(undefined);
	}
}

function followTunnel(tunnel: Tunnel): PublicAddress {
	const lost = new AbortController();
	async function* watch() {
		try {
			yield* tunnel.changes();
		} catch (fault) {
			lost.abort(fault);
		}
	}
	return {
		url: tunnel.url,
		changes: watch(),
		lost: lost.signal,
		[Symbol.asyncDispose]: () => tunnel.close(),
	};
}
