// What many subscriptions are told of alike, told once on a terminal: a thousand lines would hide the one that matters.
// Events, losses and whatever ends one of them are shown each, as always.
import type { Output } from "../../output/index.ts";
import type { Item } from "../../tail/index.ts";
import type { World } from "../process/world.ts";

/** From so many on they are told together. */
const MANY = 20;
const TELL_AFTER_MS = 1_000;
const LONGEST_WHY = 300;

export interface CrowdOptions {
	subscriptions: number;
	output: Pick<Output, "form" | "say">;
	world: Pick<World, "stderr" | "setTimer">;
}

export interface Crowd {
	/** What of a batch is to be shown as it is. */
	sift(batch: readonly Item[]): readonly Item[];
	/** Tells what is left to tell. */
	close(): void;
}

/** Opens a crowd, which sifts nothing where they are few, or where nobody looks on: a file takes every line. */
export function openCrowd(options: CrowdOptions): Crowd {
	const { subscriptions, output, world } = options;
	const isWatched = world.stderr.isTTY === true && output.form !== "records";
	if (subscriptions <= MANY || !isWatched)
		return { sift: (batch) => batch, close: () => {} };
	const groups = new Map<string, { count: number; first: string }>();
	let callOff: (() => void) | undefined;
	const tell = () => {
		callOff?.();
		callOff = undefined;
		for (const [words, { count, first }] of groups)
			output.say(
				`${count === 1 ? first : `${count} of ${subscriptions}`}: ${words}`,
			);
		groups.clear();
	};
	return {
		sift(batch) {
			return batch.filter((item) => {
				const words = wordsOf(item);
				if (words === undefined) return true;
				const { count = 0, first = item.subscription } =
					groups.get(words) ?? {};
				groups.set(words, { count: count + 1, first });
				callOff ??= world.setTimer(tell, TELL_AFTER_MS);
				return false;
			});
		},
		close: tell,
	};
}

/** What is told of it together with others; undefined: it is shown by itself. */
function wordsOf(item: Item): string | undefined {
	switch (item.kind) {
		case "ready":
			return `${item.first ? "ready" : "flows again"}, by ${item.via}`;
		case "mode":
			return `goes on by ${item.via}: ${item.why.slice(0, LONGEST_WHY)}`;
		case "reconnecting":
			return item.isNews === false
				? undefined
				: `connects again: ${item.why.slice(0, LONGEST_WHY)}`;
		case "stopped": {
			if (item.fault) return undefined;
			if (item.cursor === undefined)
				return "stopped; there is no cursor to go on from";
			return item.isKept
				? "stopped; its position is saved: --resume goes on from there"
				: "stopped; its last cursor stands in --output records, and is kept by --resume";
		}
		default:
			return undefined;
	}
}
