// Opens the output on this process, and turns whatever ends a command into an exit status.
import { EXIT_STATUSES, Fault } from "../../faults/index.ts";
import { type Output, openOutput, ReaderGone } from "../../output/index.ts";
import { PROGRAM } from "./program-name.ts";
import { Stop, type World } from "./world.ts";

export interface DisplayOptions {
	/** By default pretty on a terminal and events elsewhere (product.md, Output). */
	form?: "events" | "records" | "pretty" | "cloudevents" | undefined;
	/** The server, for CloudEvents `source`. */
	source?: string | undefined;
	verbose?: boolean;
	quiet?: boolean;
}

/** Does `work` with the output open; shows what it throws; returns the exit status (product.md, Exit status). */
export async function performOn(
	world: World,
	display: DisplayOptions,
	work: (world: World, output: Output) => Promise<number>,
): Promise<number> {
	const output = openWorldOutput(world, display);
	try {
		return await work(world, output);
	} catch (error) {
		return showEnd(error, world, output);
	} finally {
		await output.close();
	}
}

/** Shows a fault that came before any command could open its output; returns the exit status. */
export function showFault(error: unknown, world: World): Promise<number> {
	return performOn(world, { form: "events" }, () => Promise.reject(error));
}

async function showEnd(
	error: unknown,
	world: World,
	output: Output,
): Promise<number> {
	if (error instanceof ReaderGone) return EXIT_STATUSES.done.status;
	if (error instanceof Stop) return error.status;
	const stopped = world.stop.aborted ? world.stop.reason : undefined;
	// What breaks while everything is being torn down is a consequence, not news.
	if (stopped instanceof Stop) return stopped.status;
	await output.fault(error);
	return error instanceof Fault ? error.exitStatus : EXIT_STATUSES.bug.status;
}

function openWorldOutput(world: World, display: DisplayOptions): Output {
	const { stdout, stderr, env } = world;
	return openOutput({
		stdout,
		stderr,
		env,
		form: display.form ?? (stdout.isTTY ? "pretty" : "events"),
		source: display.source ?? "",
		verbose: display.verbose ?? false,
		quiet: display.quiet ?? false,
		programName: PROGRAM.name,
	});
}
