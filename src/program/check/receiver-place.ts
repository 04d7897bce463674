// How callbacks of a server under test reach this machine, as the flags say.
import type { ReceiverPlace } from "../../grade/index.ts";
import type { Output } from "../../output/index.ts";
import { readTextFile } from "../flags/files.ts";
import { openPublicAddress } from "../flags/public-address.ts";
import type { World } from "../process/world.ts";
import type { CheckFlags } from "./options.ts";

/** Throws `wrong-use` where a file cannot be read. Nothing is opened yet. */
export async function receiverPlace(
	flags: CheckFlags,
	place: { world: World; output: Output },
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
			openPublicAddress: (port: number) =>
				openPublicAddress(tunnel, port, place),
		}),
	};
}
