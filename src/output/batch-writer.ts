// Where each item of a batch goes, and when the batch counts as shown.
import { GrowingBytes } from "../protocol/index.ts";
import type { Item } from "../tail/index.ts";
import { createItemWriter, type Form } from "./item-writer.ts";
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

/** More is not kept from one batch to the next. */
const SPARE_BYTES = 1024 * 1024;

const openLines = () =>
	new GrowingBytes(Number.POSITIVE_INFINITY, () => {
		throw new RangeError("a batch is bounded by whoever made it");
	});

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
	/** What the last batch was written from: new memory for each would cost as much as its lines. */
	let spare: GrowingBytes | undefined;
	return async (batch, watch) => {
		if (form === "pretty") await options.painted;
		// What was told before must be on the screen first, and may still wait for its colours.
		if (ways.isOneScreen) await ways.stderr.flush();
		const written: Promise<void>[] = [];
		const lines = spare ?? openLines();
		spare = undefined;
		let hasTold = false;
		watch?.leaving();
		for (const item of batch) {
			if (writer.add(item, lines) || item.kind === "event") continue;
			// Elsewhere one write is enough: nobody sees the order of two ways that part.
			if (ways.isOneScreen && lines.length > 0)
				written.push(ways.put(lines.take()));
			hasTold = tell(ways, item) || hasTold;
		}
		if (lines.length > 0) written.push(ways.put(lines.view));
		const hasLeft = ways.hasLeft();
		if (hasLeft) watch?.left();
		else watch?.stuck();
		if (hasTold) written.push(ways.stderr.flush());
		await Promise.all(written);
		if (!hasLeft) watch?.left();
		if (lines.length > SPARE_BYTES) return;
		lines.clear();
		spare = lines;
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
