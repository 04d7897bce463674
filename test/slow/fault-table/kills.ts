// kill -9 of the tail at random moments of its life, a hundred times in all where that is asked for, and what it may repeat after each.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { amount } from "../../helpers/amount.ts";
import { type Stage, sleep } from "./stage.ts";

const KILLS = {
	poll: amount(34, 7),
	push: amount(33, 7),
	webhook: amount(33, 6),
};
/** In all modes. */
export const ALL_KILLS = KILLS.poll + KILLS.push + KILLS.webhook;
/** From before its first line to long after it. */
const LONGEST_LIFE_MS = 1_200;

/** Kills it, and starts it again with --resume; what was saved before a kill must not come again. */
export async function killAtRandom(stage: Stage): Promise<string> {
	const { tally, mode } = stage;
	const saved = new Set<number>();
	for (let kill = 0; kill < KILLS[mode]; kill++) {
		if (kill > 0) stage.begin();
		const from = tally.marks.length;
		await sleep(Math.random() * LONGEST_LIFE_MS);
		stage.run?.kill("SIGKILL");
		await stage.ended();
		const printed = tally.marks.slice(from).filter((mark) => mark > 0);
		expect(printed.filter((n) => saved.has(n))).toEqual([]);
		const isSaved = readSaved(stage.state);
		for (const n of printed)
			if (isSaved(n)) saved.add(n);
			else stage.mayRepeat++;
	}
	await stage.beginAndFlow();
	return `${KILLS[mode]} kills, ${stage.mayRepeat} unsaved`;
}

/** Whether the state folder knows that an event was shown: by its cursor, or by its id. */
function readSaved(state: string): (n: number) => boolean {
	const folder = join(state, "positions");
	const read = (end: string) => {
		const name = readdirSync(folder).find((one) => one.endsWith(end));
		return name ? readFileSync(join(folder, name), "utf8") : "";
	};
	const { cursor = "c0" } = JSON.parse(read(".json") || "{}");
	const ids = new Set(read(".seen").split("\n"));
	return (n) => n <= Number(cursor.slice(1)) || ids.has(`"e${n}"`);
}
