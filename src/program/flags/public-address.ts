// The address of a tunnel as a receiver is told it, with whatever is to be shown of the tunnel.
import type { Output } from "../../output/index.ts";
import type { Tunnel } from "../../tunnel/index.ts";
import type { OpenedAddress } from "../listen/options.ts";
import { tunnelOf } from "../listen/tunnel-words.ts";
import type { World } from "../process/world.ts";

/**
 * Opens the tunnel that --tunnel asks for; resolves when deliveries can arrive through it. That it is lost is noticed
 * while its changes are read.
 */
export async function openPublicAddress(
	flag: string,
	port: number,
	{ world, output }: { world: World; output: Output },
): Promise<OpenedAddress> {
	const { openTunnel } = await import("../../tunnel/index.ts");
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

function followTunnel(tunnel: Tunnel): OpenedAddress {
	const lost = new AbortController();
	async function* watch() {
		try {
			yield* tunnel.changes();
		} catch (fault) {
			lost.abort(fault);
		}
	}
	return {
		get url() {
			return tunnel.url;
		},
		changes: watch(),
		lost: lost.signal,
		[Symbol.asyncDispose]: () => tunnel.close(),
	};
}
