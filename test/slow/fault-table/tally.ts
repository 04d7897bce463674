// What a tail printed, over several runs of it, held against what the server sent.

import { StringDecoder } from "node:string_decoder";

export interface Counts {
	sent: number;
	printed: number;
	lost: number;
	repeated: number;
	/** How many gaps were told. */
	told: number;
	/** Lost, and no gap stands between what came before it and what came after. */
	untold: number[];
}

/** How a loss is told. */
export type LossForm = "gap" | "rejected";

interface TailRecord {
	kind: string;
	status?: number;
	cursor?: string;
	event?: { data: { n: number } };
}

/** Reads records as they come. */
export class Tally {
	/** The position at which the first run began; undefined: it has not. */
	start: number | undefined;
	/** What the server no longer has: no later event may be lost, whatever gap is told. */
	goneUpTo = Number.POSITIVE_INFINITY;
	/** How often it was told that events flow, or flow again. */
	readies = 0;
	/** Printed numbers in their order, 0 for a gap that was told. */
	readonly marks: number[] = [];
	/** Deliveries that were refused for good. */
	tooLarge = 0;
	readonly kinds: Record<string, number> = {};
	readonly numbers = new Set<number>();
	readonly #isOrdered: boolean;
	#rest: string[] = [];
	#waiting: (() => void)[] = [];

	/** Webhooks come in any order. */
	constructor(isOrdered: boolean) {
		this.#isOrdered = isOrdered;
	}

	/** Takes what comes on a stdout; what a kill has cut off is passed over. */
	read(stdout: NodeJS.ReadableStream): void {
		this.#rest = [];
		// Others read the bytes too.
		const decoder = new StringDecoder("utf8");
		stdout.on("data", (bytes: Buffer) => {
			this.#rest.push(decoder.write(bytes));
			if (!bytes.includes(0x0a)) return;
			const lines = this.#rest.join("").split("\n");
			this.#rest = [lines.pop() ?? ""];
			for (const line of lines) this.#take(JSON.parse(line));
			this.wake();
		});
	}

	/** Whoever waits looks again: something has changed. */
	wake(): void {
		for (const resolve of this.#waiting.splice(0)) resolve();
	}

	/** Waits until so much has come; false where it has not in time. */
	async until(isMet: () => boolean, timeoutMs = 15_000): Promise<boolean> {
		let isLate = false;
		const timer = setTimeout(() => {
			isLate = true;
			this.wake();
		}, timeoutMs);
		while (!isMet() && !isLate)
			await new Promise<void>((resolve) => this.#waiting.push(resolve));
		clearTimeout(timer);
		return isMet();
	}

	/** Whether all has come that will: everything, or all but what was told to be lost. */
	isWhole(length: number, toldBy?: LossForm): boolean {
		if (toldBy === "gap") return this.counts(length).untold.length === 0;
		const refused = toldBy === "rejected" ? this.tooLarge : 0;
		return this.#lost(length, this.start ?? 0).length <= refused;
	}

	/** Against the events up to `length`. */
	counts(length: number): Counts {
		const start = this.start ?? length;
		const printed = this.marks.filter((mark) => mark > 0);
		const lost = this.#lost(length, start);
		return {
			sent: length - start,
			printed: printed.length,
			lost: lost.length,
			repeated: printed.length - this.numbers.size,
			told: this.marks.length - printed.length,
			untold: lost.filter((n) => n > this.goneUpTo || !this.#isTold(n)),
		};
	}

	/** What has not come of the events after `start`; older ones may have, from a cursor that jumped back. */
	#lost(length: number, start: number): number[] {
		const lost: number[] = [];
		for (let n = start + 1; n <= length; n++)
			if (!this.numbers.has(n)) lost.push(n);
		return lost;
	}

	#take(record: TailRecord): void {
		this.kinds[record.kind] = (this.kinds[record.kind] ?? 0) + 1;
		if (record.status === 413) this.tooLarge++;
		if (record.kind === "gap") this.marks.push(0);
		if (record.kind === "ready") {
			this.readies++;
			this.start ??= Number(record.cursor?.slice(1));
		}
		const n = record.event?.data.n;
		if (n === undefined) return;
		this.marks.push(n);
		this.numbers.add(n);
	}

	/** A gap stands after all that is older, and, where there is an order, before anything newer. */
	#isTold(n: number): boolean {
		const newer = this.marks.findIndex((mark) => mark > n);
		const isBounded = this.#isOrdered && newer >= 0;
		const before = isBounded ? this.marks.slice(0, newer) : this.marks;
		const last = before.findLastIndex((mark) => mark > 0 && mark < n);
		return before.slice(last + 1).includes(0);
	}
}
