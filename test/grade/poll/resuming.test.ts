// What is said of an event that one way of reading brings and the other does not, from polls that are answered from memory.
import { describe, expect, it } from "vitest";
import { resumingChecks } from "../../../src/grade/poll/resuming.ts";
import { type Bend, REFUSED } from "./bent-double.ts";
import { findingOf, prepare, tell } from "./by-hand.ts";

/** The second of five events is passed over by whoever follows, one cursor after the other. */
const passOver: Bend = ({ params, events }, answer) =>
	params.cursor === "c1" && events.length === 2
		? { ...answer, events: [] }
		: undefined;
const atTheEnd =
	(bend: Bend): Bend =>
	(asked, answer) =>
		asked.params.cursor === "c5" ? bend(asked, answer) : undefined;

describe("an event that comes when the stretch is read again, and did not come before", () => {
	it.each<[string, Bend, RegExp]>([
		[
			"is left out",
			passOver,
			/^broken .*e1.* is left out between one cursor and the next/,
		],
		[
			"may be one of the next, which cannot be read",
			(asked, answer) =>
				passOver(asked, answer) ?? atTheEnd(() => REFUSED)(asked, answer),
			/^holds /,
		],
	])("%s", async (_what, bend, told) => {
		const made = await prepare({ bend });
		const finding = await findingOf(
			resumingChecks,
			"resume-exactly-once",
			made,
		);
		expect(tell(finding)).toMatch(told);
	});
});
