// Starts oclif on the built commands, shows what was thrown, and ends the process with the status. Help is our own.
import { EXIT_STATUSES } from "../../faults/index.ts";
import {
	CONTRACT_PIN,
	LEGACY_VERSIONS,
	MODERN_VERSION,
} from "../../protocol/index.ts";
import {
	asUsageFault,
	type CommandWords,
	plainExit,
} from "../flags/usage-fault.ts";
import {
	type HelpRequest,
	readHelpRequest,
	withoutHelp,
} from "../help/request.ts";
import { performOn, showFault } from "./display.ts";
import { exitNow, flushStream } from "./exit.ts";
import { processWorld } from "./process-world.ts";
import { PROGRAM, TOPICS } from "./program-name.ts";

/** Runs the command that the arguments name. `root` is the folder of our package.json. Never returns normally. */
export async function main(root: string): Promise<never> {
	const words = process.argv.slice(2);
	const world = processWorld();
	// A reader that went away is no error of ours: `output` notices it, and help has nothing left to say. oclif's own
	// listener throws for a full disk.
	for (const stream of [world.stdout, world.stderr])
		stream.removeAllListeners("error").on("error", () => {});
	const status = await runCommand(root, words);
	await Promise.all([flushStream(world.stdout), flushStream(world.stderr)]);
	exitNow(status);
}

async function runCommand(root: string, words: string[]): Promise<number> {
	let commands: CommandWords[] = [];
	if (words[0] === "--version") return showVersion();
	const help = readHelpRequest(words, Object.keys(TOPICS));
	if (help) {
		const status = await showHelp(root, help);
		if (status !== undefined) return status;
		return runCommand(root, withoutHelp(words));
	}
	try {
		// Loaded where a command runs: help does without it.
		const { Config, run } = await import("@oclif/core");
		const config = await Config.load({ root });
		commands = config.commands.map(({ id, flags }) => ({
			id,
			flags: Object.keys(flags),
		}));
		const status = await run(words, config);
		return typeof status === "number" ? status : 0;
	} catch (error) {
		return (
			plainExit(error) ??
			(await showFault(asUsageFault(error, commands, words), processWorld()))
		);
	}
}

/** undefined where the words name no command. */
async function showHelp(
	root: string,
	request: HelpRequest,
): Promise<number | undefined> {
	let isKnown = true;
	const status = await performOn(processWorld(), {}, async (_world, output) => {
		const help = await import("../help/show-help.ts");
		isKnown = await help.showHelp(
			request,
			{ ...PROGRAM, topics: TOPICS },
			{ root, output },
		);
		return EXIT_STATUSES.done.status;
	});
	return isKnown ? status : undefined;
}

/** `--version` alone is answered before we are loaded; with --verbose, the contract that is followed is told too. */
function showVersion(): Promise<number> {
	return performOn(processWorld(), {}, async (_world, output) => {
		await output.text(
			`${PROGRAM.name}/${PROGRAM.version} ${process.platform}-${process.arch} node-${process.version}\nMCP Events: ${CONTRACT_PIN}; MCP ${[MODERN_VERSION, ...LEGACY_VERSIONS].join(", ")}`,
		);
		return EXIT_STATUSES.done.status;
	});
}
