// What a row of the fault table is, and what it is held to.
import { expect } from "vitest";
import { within } from "../../helpers/within.ts";
import {
	type Mode,
	openStage,
	type Stage,
	type StageOptions,
} from "./stage.ts";
import type { Counts } from "./tally.ts";

export interface Row {
	fault: string;
	behaviour?: StageOptions["behaviour"];
	args?: readonly string[];
	/** The modes in which it makes no sense, and why. */
	skip?: Partial<Record<Mode, string>>;
	isFree?: boolean;
	/** The server is found by its name, which the stage's name server knows. */
	isNamed?: boolean;
	/** Events are lost for good, so that it must be told: by a gap, or by a record for each delivery that was refused. */
	toldBy?: "gap" | "rejected";
	/** How many may be printed twice, as the row itself says; undefined: none. */
	mayRepeat?: (stage: Stage) => number;
	/** Does it while a tail runs; a text that it returns stands in the table beside the gaps. */
	act(stage: Stage): Promise<unknown>;
	/** Before the tail begins, and after all is counted. */
	before?(stage: Stage): void;
	after?(stage: Stage): void;
	/** Whether it ends the tail by itself; then no more is waited for than what was sent until then. */
	endsWith?: number;
}

export interface Result {
	fault: string;
	mode: Mode;
	counts: Counts | undefined;
	/** What was told, or why there is nothing to tell. */
	words: string;
}

/** Less, by what it takes to open and close a stage, than the runner's limit, which would not say why. */
const PLAY_MS = 90_000;

/** Plays a row in one mode and holds it to what every row owes. */
export async function playRow(row: Row, mode: Mode): Promise<Result> {
	await using stage = await openStage({ ...row, mode });
	row.before?.(stage);
	try {
		return await within(
			play(row, stage),
			PLAY_MS,
			() => `${row.fault}, ${mode}, has no end: ${stage.context()}`,
		);
	} finally {
		await stage.stop().finally(() => row.after?.(stage));
	}
}

async function play(row: Row, stage: Stage): Promise<Result> {
	const { fault } = row;
	const { mode } = stage;
	await stage.beginAndFlow();
	const said = await row.act(stage);
	if (row.endsWith !== undefined) await stage.ended();
	const { length, last } = await stage.settle(row.toldBy);
	const counts = stage.tally.counts(length);
	const { sent, lost, told, untold } = counts;
	const figures = { ...counts, untold: untold.length, first: untold[0] };
	const context = `${fault}, ${mode}: ${JSON.stringify(figures)}\n${last.stderr.slice(-3_000)}${last.stdout.slice(-1_500)}`;
	expect(sent, context).toBeGreaterThan(5);
	expect(lost > 0, context).toBe(row.toldBy !== undefined);
	expect(told > 0, context).toBe(row.toldBy === "gap");
	if (row.toldBy === "rejected")
		expect(lost, context).toBeLessThanOrEqual(stage.tally.tooLarge);
	else expect(untold.length, context).toBe(0);
	expect(counts.repeated, context).toBeLessThanOrEqual(
		row.mayRepeat?.(stage) ?? 0,
	);
	expect(last.status, context).toBe(row.endsWith ?? 143);
	return {
		fault,
		mode,
		counts,
		words: describe(stage, typeof said === "string" ? said : undefined),
	};
}

/** The gaps first, then what else was said. */
function describe({ tally }: Stage, said: string | undefined): string {
	const {
		gap = 0,
		reconnecting = 0,
		rejected = 0,
		mode = 0,
		terminated = 0,
	} = tally.kinds;
	const parts = [
		`${gap} gaps`,
		reconnecting > 0 && `${reconnecting} reconnecting`,
		rejected > 0 && `${rejected} rejected`,
		mode > 0 && `${mode} mode`,
		terminated > 0 && "terminated",
		said,
	];
	return parts.filter(Boolean).join(", ");
}

/** One table, in the order of the rows. */
export function drawTable(results: readonly Result[]): string {
	const head = ["fault", "mode", "sent", "printed", "lost", "repeated", "told"];
	const lines = results.map(({ fault, mode, counts, words }) => {
		const { sent, printed, lost, repeated } = counts ?? {};
		const figures = [sent, printed, lost, repeated].map((n) =>
			String(n ?? "-"),
		);
		return [fault, mode, ...figures, words];
	});
	const all = [head, ...lines];
	const widths = head.map((_, at) =>
		Math.max(...all.map((line) => (line[at] ?? "").length)),
	);
	const draw = (line: string[]) =>
		line
			.map((cell, at) => cell.padEnd(widths[at] ?? 0))
			.join("  ")
			.trimEnd();
	return all.map(draw).join("\n");
}
