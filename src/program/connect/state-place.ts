// The state folder of a command, and the registry in it.
import { randomBytes } from "node:crypto";
import type { Output } from "../../output/index.ts";
import {
	openRegistry,
	type Registry,
	resolveStateFolder,
} from "../../state/index.ts";
import type { World } from "../process/world.ts";
import { ownerOf } from "./owner.ts";

export interface StateFlags {
	state?: string | undefined;
}

export function stateFolder(flags: StateFlags, { env, cwd }: World): string {
	return resolveStateFolder({ flag: flags.state, env, cwd });
}

/** The registry of webhook subscriptions; damaged files in it are told. */
export function openWorldRegistry(
	flags: StateFlags,
	{ world, output }: { world: World; output: Output },
): Registry {
	return openRegistry({
		folder: stateFolder(flags, world),
		owner: ownerOf(world),
		now: world.now,
		randomBytes,
		damaged: (text) => output.warn(text),
	});
}
