// Runs something that must fail, and gives back its fault.
import { Fault } from "../../src/faults/index.ts";

export async function faultOf(run: () => unknown): Promise<Fault> {
	try {
		await run();
	} catch (cause) {
		if (cause instanceof Fault) return cause;
		throw cause;
	}
	throw new Error("nothing failed");
}
