import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Tally } from "./tally.ts";

test("an event from before the start stands for none that is still to come", () => {
	const tally = new Tally(true);
	const stdout = new PassThrough();
	tally.read(stdout);
	const say = (record: object) =>
		stdout.emit("data", Buffer.from(`${JSON.stringify(record)}\n`));
	say({ kind: "ready", cursor: "c10" });
	for (const n of [9, 10, 11, 12])
		say({ kind: "event", event: { data: { n } } });
	expect(tally.isWhole(13)).toBe(false);
	expect(tally.counts(13)).toMatchObject({ sent: 3, lost: 1 });
	say({ kind: "event", event: { data: { n: 13 } } });
	expect(tally.isWhole(13)).toBe(true);
});
