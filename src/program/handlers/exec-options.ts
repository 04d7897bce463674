// What the flags say of --exec: the command as a template, how many events it gets, how often it may run.
import { Fault, splitShellWords } from "../../faults/index.ts";
import type { CommandTemplate } from "../../handlers/index.ts";
import { parseDuration } from "../flags/duration.ts";
import type { ExecFlags } from "../flags/handler-flags.ts";

export interface ExecOptions {
	template: CommandTemplate;
	timeoutMs: number;
	atOnce: number;
	/** How often a command that failed is run again. */
	retries: number;
	/** undefined: one event a run, on one line. */
	batch: BatchOptions | undefined;
	mostPerHour: number | undefined;
}

export interface BatchOptions {
	/** How many events a run gets at most. */
	most: number;
	/** How long the first of them waits for more. */
	withinMs: number;
}

const EXAMPLE = "--exec 'node handle.js'";
const MOST_IN_BATCH = 1_000;

/** undefined without --exec. `isRelayed`: senders wait for what it says. Throws `wrong-use`. */
export async function readExecOptions(
	flags: ExecFlags,
	isRelayed = false,
): Promise<ExecOptions | undefined> {
	if (flags.exec === undefined) {
		refuseLonely(flags);
		return undefined;
	}
	const { parseTemplate } = await import("../../handlers/index.ts");
	const template = parseTemplate(commandWords(flags.exec));
	const batch = flags.batch === undefined ? undefined : readBatch(flags.batch);
	if (batch && template.hasFields)
		throw new Fault("wrong-use", {
			what: "--batch cannot be used with fields of an event in --exec",
			why: "a run gets several events, one a line on its stdin, and a field belongs to one",
			next: "leave the fields or --batch out",
		});
	if (batch && isRelayed)
		throw new Fault("wrong-use", {
			what: "--batch and --relay-status cannot be combined",
			why: "a sender would wait for deliveries that are still to come",
			next: "leave one of them out",
		});
	return {
		template,
		batch,
		timeoutMs: flags["exec-timeout"],
		atOnce: flags["exec-concurrency"],
		retries: flags["exec-retries"],
		mostPerHour: flags["max-per-hour"],
	};
}

function refuseLonely(flags: ExecFlags): void {
	const lonely = [
		flags.batch === undefined ? "" : "--batch",
		flags["max-per-hour"] === undefined ? "" : "--max-per-hour",
		flags["exec-retries"] > 0 ? "--exec-retries" : "",
	].find((name) => name !== "");
	if (lonely)
		throw new Fault("wrong-use", {
			what: `${lonely} is given without --exec`,
			next: `${EXAMPLE} ${lonely}`,
		});
}

function commandWords(text: string): string[] {
	const words = splitShellWords(text);
	if (!words)
		throw new Fault("wrong-use", {
			what: "the command of --exec has a quote or a backslash that leads nowhere",
			next: EXAMPLE,
		});
	if (!words[0])
		throw new Fault("wrong-use", {
			what: "the command of --exec is empty",
			next: EXAMPLE,
		});
	return words;
}

function readBatch(text: string): BatchOptions {
	const [count = "", within, ...more] = text.split(",");
	const most = /^\d{1,4}$/.test(count) ? Number(count) : 0;
	if (most < 1 || most > MOST_IN_BATCH || more.length > 0)
		throw new Fault("wrong-use", {
			what: `--batch ${JSON.stringify(text)} is not N or N,DURATION`,
			why: `N is a whole number from 1 to ${MOST_IN_BATCH}`,
			next: "--batch 10,5s",
		});
	const withinMs = within === undefined ? 0 : parseDuration(within, "batch");
	return { most, withinMs };
}
