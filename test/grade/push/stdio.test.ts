// Push over stdio, where streams share one output and what comes behind a cancel can be seen.
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Graded, gradeWith } from "../grade-with.ts";
import { secondLook } from "../second-look.ts";
import { accusedOf, PUSH_WAITS } from "./push-reference.ts";

const script = fileURLToPath(
	new URL("../../fixtures/servers/push-stdio.mjs", import.meta.url),
);

const gradeChild = (bend: string): Promise<Graded> =>
	gradeWith(
		{
			kind: "stdio",
			command: process.execPath,
			args: [script, bend],
			env: {},
		},
		{
			scenarios: ["events-push"],
			waits: { ...PUSH_WAITS, pushWatchMs: 300 },
			timeoutMs: 20_000,
			budgetMs: 60_000,
		},
	);

const BENDS = [
	["none"],
	["goes-on", "stream-cancel-stops-delivery FAILURE"],
	["answers-with-an-error", "stdio-streams FAILURE"],
	["answers-with-a-result", "stdio-streams FAILURE"],
] as const;

const look = secondLook(
	new Map(
		await Promise.all(
			BENDS.map(async ([bend]) => [bend, await gradeChild(bend)] as const),
		),
	),
	gradeChild,
);

describe("a server over stdio", () => {
	it.each(BENDS)("that is bent by %s", async (bend, ...accused) => {
		const found = await look(bend);
		expect(found.defects).toEqual([]);
		expect(accusedOf(found)).toEqual(accused);
	});

	it("keeps the rules of streams on one output", async () => {
		const found = await look("none");
		const rows = ["stdio-streams", "stream-cancel-stops-delivery"];
		const told = rows.map((id) => found.messageOf(`events-push/${id}`));
		expect(told).toEqual([
			expect.stringMatching(/^two streams were told apart by their ids/),
			expect.stringMatching(/^nothing came for the cancelled stream, while/),
		]);
	});
});
