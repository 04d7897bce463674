// The world of this very process, made once.
import { atExit, watchStopSignals } from "./exit.ts";
import { createWorld, type World } from "./world.ts";

let world: World | undefined;

export function processWorld(): World {
	world ??= createWorld(process, { stop: watchStopSignals(), atExit });
	return world;
}
