// How callbacks of a server under test reach this machine, as the flags say.
import { Fault } from "../../faults/index.ts";
import type { ReceiverPlace } from "../../grade/index.ts";
import type { Output } from "../../output/index.ts";
import { readTextFile } from "../flags/files.ts";
import { openPublicAddress } from "../flags/public-address.ts";
import type { OpenedAddress } from "../listen/options.ts";
import type { World } from "../process/world.ts";
import type { CheckFlags } from "./options.ts";

/**
 * Throws `wrong-use` where a file cannot be read. Nothing is opened yet. `lost` is aborted, with the fault, when an
 * address that was opened leads here no more: what is judged after that would be held against the server.
 */
export async function receiverPlace(
	flags: CheckFlags,
	place: { world: World; output: Output },
	lost: AbortController,
): Promise<ReceiverPlace> {
	const { "tls-cert": cert, "tls-key": key, tunnel } = flags;
	const { "public-url": url, port } = flags;
	return {
		port,
		...(cert !== undefined &&
			key !== undefined && {
				tls: {
					cert: await readTextFile(cert, "--tls-cert"),
					key: await readTextFile(key, "--tls-key"),
				},
			}),
		...(url !== undefined && {
			openPublicAddress: async () => ({
				url,
				[Symbol.asyncDispose]: async () => {},
			}),
		}),
		...(tunnel !== undefined && {
			isTunnelled: true,
			async openPublicAddress(port: number) {
				const address = await openPublicAddress(tunnel, port, place);
				void watchAddress(address, lost);
				return address;
			},
		}),
	};
}

/** Ends when the address is closed. Never rejects. */
async function watchAddress(
	{ changes, lost: end }: OpenedAddress,
	lost: AbortController,
): Promise<void> {
	for await (const url of changes ?? []) {
		lost.abort(
			new Fault("tunnel-failed", {
				what: `the tunnel leads here from another address now: ${url}`,
				why: "it ended and was started again; the callbacks of this run lead to the old one",
				next: "grade again, or --public-url URL for an address that stays",
			}),
		);
		return;
	}
	if (end?.aborted) lost.abort(end.reason);
}
