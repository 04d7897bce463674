// This process as others see it in lock files.
import { hostname } from "node:os";
import { kill } from "node:process";
import type { Owner } from "../../state/index.ts";
import type { World } from "../process/world.ts";

export function ownerOf({ pid }: Pick<World, "pid">): Owner {
	return { pid, host: hostname(), isAlive };
}

function isAlive(pid: number): boolean {
	try {
		return kill(pid, 0);
	} catch (error) {
		// A process of somebody else may not be asked, and is alive all the same.
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
