// Where each item of a batch goes, and when the batch counts as shown.
import type { Item } from "../tail/index.ts";
import { createItemWriter, type Form, joinParts } from "./item-writer.ts";
import type { Page } from "./pretty.ts";
import type { Stderr } from "./stderr.ts";
import { tellItem } from "./told-item.ts";

/** Told of a batch on its way out, at the very moments: for whoever must know it after a crash. */
export interface BatchWatch {
	/** Its data is handed to stdout next. */
	leaving(): void;
	/** Stdout could not take all of it at once: a part waits in this process. */
	stuck(): void;
	/** All of it has left this process. */
	left(): void;
}

/** The two ways out, with what was asked for. */
export interface Ways {
	pieces: { form: Form; verbose: boolean; quiet: boolean; programName: string };
	stderr: Stderr;
	/** Writes to stdout what is for stdout, after what turns on the same terminal is gone. */
	put(bytes: Buffer | string): Promise<void>;
	/** Whether all that was put has left this process. */
	hasLeft(): boolean;
	isTerminal: boolean;
	/** Both ways end on the same screen, so their order can be seen. */
	isOneScreen: boolean;
}

/** Makes `Output.items`. */
export function createBatchWriter(
	ways: Ways,
	options: { page: Page; painted: Promise<void>; source: () => string },
): (batch: readonly Item[], watch?: BatchWatch) => Promise<void> {
	const { form } = ways.pieces;
	const writer = createItemWriter(form, {
		...options,
		...ways,
		mask: ways.stderr.mask,
	});
	return async (batch, watch) => {
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
		watch?.leaving();
		for (const item of batch) {
			if (writer.add(item, line) || item.kind === "event") continue;
			// Elsewhere one write is enough: nobody sees the order of two ways that part.
			if (ways.isOneScreen) flush();
			hasTold = tell(ways, item) || hasTold;
		}
		flush();
		const hasLeft = ways.hasLeft();
		if (hasLeft) watch?.left();
		else watch?.stuck();
		if (hasTold) written.push(ways.stderr.flush());
		await Promise.all(written);
		if (!hasLeft) watch?.left();
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
