// Where each item of a batch goes, and when the batch counts as shown.
import type { Item } from "../tail/index.ts";
import { createItemWriter, type Form, joinParts } from "./item-writer.ts";
import type { Page } from "./pretty.ts";
import type { Stderr } from "./stderr.ts";
import { tellItem } from "./told-item.ts";

/** The two ways out, with what was asked for. */
export interface Ways {
	pieces: { form: Form; verbose: boolean; quiet: boolean; programName: string };
	stderr: Stderr;
	/** Writes to stdout what is for stdout, after what turns on the same terminal is gone. */
	put(bytes: Buffer | string): Promise<void>;
	isTerminal: boolean;
	/** Both ways end on the same screen, so their order can be seen. */
	isOneScreen: boolean;
}

/** Makes `Output.items`. */
export function createBatchWriter(
	ways: Ways,
	options: { page: Page; painted: Promise<void>; source: () => string },
): (batch: readonly Item[]) => Promise<void> {
	const { form } = ways.pieces;
	const writer = createItemWriter(form, { ...options, ...ways });
	return async (batch) => {
		if (form === "pretty") await options.painted;
		// What was told before must be on the screen first, and may still wait for its colours.
		if (ways.isOneScreen) await ways.stderr.flush();
		const written: Promise<void>[] = [];
		let line: Buffer[] = [];
		let hasTold = false;
		const flush = () => {
			if (line.length > 0) written.push(ways.put(joinParts(line)));
			line = [];
		};
		for (const item of batch) {
			if (writer.add(item, line) || item.kind === "event") continue;
			// Elsewhere one write is enough: nobody sees the order of two ways that part.
			if (ways.isOneScreen) flush();
			hasTold = tell(ways, item) || hasTold;
		}
		flush();
		if (hasTold) written.push(ways.stderr.flush());
		await Promise.all(written);
	};
}

/** Tells an item on stderr, if it is to be told at all. */
function tell(
	{ pieces, stderr }: Ways,
	item: Exclude<Item, { kind: "event" }>,
): boolean {
	const { level, text } = tellItem(item);
	if (level === "detail" && !pieces.verbose) return false;
	if (level === "status" && pieces.quiet) return false;
	stderr.write((palette) => {
		const isLoss = level === "loss";
		return `${pieces.programName}: ${isLoss ? palette.warning(text) : text}`;
	});
	return true;
}
