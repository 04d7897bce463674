// The grader of push against the reference server: right, it passes; with one flaw, the row of that flaw turns and no other.
import { describe, expect, it } from "vitest";
import { findRows } from "../../../src/grade/index.ts";
import { FLAWS } from "../../../src/reference/index.ts";
import type { Graded } from "../grade-with.ts";
import { secondLook } from "../second-look.ts";
import {
	accusedOf,
	gradeEach,
	gradePush,
	STRICT_WAITS,
} from "./push-reference.ts";

const flaws = FLAWS.filter(({ scenario }) => scenario === "events-push");

/** What only a watch with little patience can see. */
const LATE = ["never-beats", "every-second-heartbeat"];

const bentBy = (name: string) => ({
	faults: name === "" ? [] : [name],
	...(LATE.includes(name) && { waits: STRICT_WAITS }),
});
const late = await gradeEach(LATE, bentBy);
const others = flaws.filter(({ name }) => !LATE.includes(name));
const graded = await gradeEach(["", ...others.map(({ name }) => name)], bentBy);
const look = secondLook(new Map([...late, ...graded]), (name: string) =>
	gradePush(bentBy(name)),
);

const severityOf = (rule: string) => {
	const [row] = findRows(`events-push/${rule}`, "--only");
	return row?.level === "should" ? "WARNING" : "FAILURE";
};

const tellAll = ({ report }: Graded) =>
	report.rows
		.filter(({ verdict }) => verdict !== "SUCCESS")
		.map(({ id, message }) => `${id}: ${message}`)
		.join("\n");

describe("the reference server with its controls", () => {
	it("keeps every rule of push, and none was left untried", async () => {
		const good = await look("");
		expect(good.defects).toEqual([]);
		const other = good.report.rows.filter(
			({ verdict }) => verdict !== "SUCCESS",
		);
		expect(other.map(({ id, message }) => `${id}: ${message}`)).toEqual([
			"sep-3415-stdio-streams: the rule is about stdio alone",
		]);
	});

	it("is shown each rule that it keeps by a message, but for the one about all", async () => {
		const { report } = await look("");
		const bare = report.rows.filter(
			({ verdict, evidence }) => verdict === "SUCCESS" && evidence.length === 0,
		);
		expect(bare.map(({ id }) => id)).toEqual(["sep-3415-wire-schema-valid"]);
	});

	it("has a flaw for every rule that HTTP can show", () => {
		const ids = graded.get("")?.report.rows.map(({ id }) => id.slice(9));
		const rules = flaws.map(({ rule }) => rule);
		expect(ids?.filter((id) => !rules.includes(id))).toEqual(["stdio-streams"]);
	});
});

describe("a server with one flaw", () => {
	it.each(flaws.map(({ name, rule }) => ({ name, rule })))(
		"$name turns $rule, and is accused of nothing else",
		async ({ name, rule }) => {
			const found = await look(name);
			expect(found.defects).toEqual([]);
			expect(accusedOf(found), tellAll(found)).toEqual([
				`${rule} ${severityOf(rule)}`,
			]);
		},
	);
});
