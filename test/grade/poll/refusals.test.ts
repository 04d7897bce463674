// What is refused by which of several types, from polls that are answered from memory.
import { describe, expect, it } from "vitest";
import { refusalChecks } from "../../../src/grade/poll/refusals.ts";
import { subjectOf } from "../delivery/by-hand.ts";
import { findingOf, POLL_TYPE, prepare } from "./by-hand.ts";

const strict = (name: string) => {
	const subject = subjectOf(name, ["poll"]);
	subject.type.inputSchema = { required: ["room"] };
	return subject;
};

describe("arguments that a schema refuses", () => {
	it("are tried on the first type that refuses any, and on no other", async () => {
		const subjects = [POLL_TYPE, strict("c.d"), strict("e.f")];
		const made = await prepare({ subjects });
		const before = made.asked.length;
		const row = "poll-invalid-arguments";
		expect((await findingOf(refusalChecks, row, made)).kind).toBe("broken");
		const asked = made.asked.slice(before).map(({ name }) => name);
		expect(asked).toContain("c.d");
		expect(asked).not.toContain("e.f");
	});
});
