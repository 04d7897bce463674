// --exec: a command is run for each event, with the event on its stdin.
import { Fault, splitShellWords } from "../../faults/index.ts";
import {
	type CommandRun,
	openBoundedTasks,
	runCommand,
} from "../../handlers/index.ts";
import type { World } from "../process/world.ts";
import {
	BEHIND,
	faultOf,
	type Handed,
	type Handler,
	notHandedOn,
	type Outcome,
} from "./handler.ts";

export interface ExecOptions {
	/** As it was typed. */
	command: string;
	timeoutMs: number;
	atOnce: number;
}

const EXAMPLE = "--exec 'node handle.js'";

/** Starts nothing yet. Throws `wrong-use` for a command without words. */
export function openExecHandler(
	{ command: text, timeoutMs, atOnce }: ExecOptions,
	{ now, env, cwd }: Pick<World, "now" | "env" | "cwd">,
): Handler {
	const [command, args] = parseCommand(text);
	const tell = (handed: Handed, run: CommandRun | undefined, fault?: Fault) =>
		outcomeOf(handed, { command, run, fault, nowMs: now() });
	const handler: Handler = {
		label: command,
		tasks: openBoundedTasks({ atOnce, ...BEHIND }),
		takes: ({ line, isVerified }) => line !== undefined && isVerified,
		async hand(handed, signal) {
			if (signal.aborted || !handed.line)
				return handler.notHanded(handed, "the listener ended first");
			const { line } = handed;
			const task = { command, args, line, timeoutMs, env, cwd, signal, now };
			try {
				const run = await runCommand(task);
				// It was cut off by our end: how it would have gone is not known.
				if (signal.aborted && run.signal)
					return handler.notHanded(handed, "the listener ended while it ran");
				return tell(handed, run);
			} catch (error) {
				return tell(handed, undefined, faultOf(error));
			}
		},
		notHanded(handed, why) {
			const { capture = "CAPTURE" } = handed;
			const next = `see it: mcp-events captures show ${capture}`;
			return tell(handed, undefined, notHandedOn(why, next));
		},
		close() {},
	};
	return handler;
}

function parseCommand(text: string): [string, string[]] {
	const words = splitShellWords(text);
	if (!words)
		throw new Fault("wrong-use", {
			what: "the command of --exec has a quote or a backslash that leads nowhere",
			next: EXAMPLE,
		});
	const [command, ...args] = words;
	if (!command)
		throw new Fault("wrong-use", {
			what: "the command of --exec is empty",
			next: EXAMPLE,
		});
	return [command, args];
}

function outcomeOf(
	{ subscription, id, capture }: Handed,
	how: {
		command: string;
		run: CommandRun | undefined;
		fault: Fault | undefined;
		nowMs: number;
	},
): Outcome {
	const { run, fault } = how;
	return {
		item: {
			kind: "handled",
			subscription,
			via: "webhook",
			receivedAt: how.nowMs,
			id,
			command: how.command,
			status: run?.status ?? undefined,
			signal: run?.signal ?? undefined,
			isTimedOut: run?.isTimedOut ?? false,
			latencyMs: run?.latencyMs ?? 0,
			stdoutStart: run?.stdoutStart ?? "",
			stderrStart: run?.stderrStart ?? "",
			capture,
			fault,
		},
		status: relayStatus(run, fault),
	};
}

function relayStatus(
	run: CommandRun | undefined,
	fault: Fault | undefined,
): number {
	if (fault?.code === "not-handed-on") return 503;
	return run?.status === 0 ? 204 : 500;
}
