// Opens what --exec needs: the claims of the server and the principal, a place to park, and the executor between them.
import { randomBytes } from "node:crypto";
import type { Output } from "../../output/index.ts";
import { type ClaimsKey, openClaims } from "../../state/index.ts";
import { capturesFolder } from "../captures/capture-source.ts";
import { ownerOf } from "../connect/owner.ts";
import { stateFolder } from "../connect/state-place.ts";
import type { PlaceFlags } from "../flags/capture-flags.ts";
import type { World } from "../process/world.ts";
import type { ExecOptions } from "./exec-options.ts";
import { Executor, type ExecutorPieces } from "./executor.ts";
import { openParking } from "./parking.ts";

export interface ExecutorPlace
	extends Pick<ExecutorPieces, "show" | "begun" | "noun" | "isLeft"> {
	/** Whose events they are; undefined: nothing is remembered between runs. */
	key: ClaimsKey | undefined;
	/** Where state and captures lie. */
	flags: PlaceFlags;
	world: World;
	output: Output;
}

export interface OpenedExecutor {
	executor: Executor;
	/** Waits for what is under way, and tells what came of all. Never throws. */
	close(): Promise<void>;
}

/** Throws `file-failed` where nothing can be kept. */
export async function openExecutor(
	options: ExecOptions,
	place: ExecutorPlace,
): Promise<OpenedExecutor> {
	const { key, flags, world, output } = place;
	const claims =
		key &&
		(await openClaims(key, {
			folder: stateFolder(flags, world),
			owner: ownerOf(world),
			now: world.now,
			randomBytes,
			damaged: (text) => output.warn(text),
		}));
	const parking = openParking(capturesFolder(flags, world), place);
	const executor = new Executor(options, {
		...place,
		claims,
		parking,
		warn: (text) => output.warn(text),
	});
	return {
		executor,
		async close() {
			await executor.settle();
			await parking.close();
			const { text, isBad } = executor.tally.words();
			if (isBad) output.warn(text);
			else output.say(text);
		},
	};
}
