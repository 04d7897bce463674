import { describe, expect, it } from "vitest";
import { type CatalogueRow, rowsOf } from "../../src/grade/catalogue/row.ts";
import type { GradeContext } from "../../src/grade/context.ts";
import { broken, Gate, holds, untestable } from "../../src/grade/finding.ts";
import { openLedger } from "../../src/grade/ledger.ts";
import { runScenarios } from "../../src/grade/run-scenarios.ts";
import {
	type Check,
	checkRow,
	defineScenario,
	type ScenarioModule,
} from "../../src/grade/scenario.ts";
import { openScribe } from "../../src/grade/wire/record.ts";
import { realClock } from "../reference/manual-clock.ts";

const IDS = ["a", "b", "c", "d"];
const rows = rowsOf(
	"events-poll",
	IDS.map((id) => ({
		id,
		level: "must",
		section: "s",
		requirement: "A rule.",
		how: "Try it.",
	})),
);

/** Of a context, only what the runner itself asks for. */
function contextWith(signal: AbortSignal): GradeContext {
	return { ...realClock, signal } as GradeContext;
}

async function run(
	module: Partial<ScenarioModule<string>> & { checks: Check<string>[] },
	signal = new AbortController().signal,
	wanted: readonly CatalogueRow[] = rows,
) {
	const defects: unknown[] = [];
	const ledger = openLedger({
		rows: wanted,
		profile: "final",
		transport: "http",
		scribe: openScribe({ now: () => 0, secrets: [], secretHeaders: [] }),
		onRow: () => {},
	});
	const scenario = defineScenario<string>({
		scenario: "events-poll",
		prepare: async () => "prepared",
		...module,
	});
	await runScenarios([scenario], {
		ledger,
		contextOf: () => contextWith(signal),
		onDefect: (error) => defects.push(error),
	});
	const told = ledger
		.graded()
		.map(({ id, verdict, message }) => [
			id.replace("sep-3415-", ""),
			verdict,
			message,
		]);
	return { told, defects };
}

const check = (
	id: string,
	act: () => Promise<void> | void,
	more: object = {},
) =>
	checkRow<string>(
		id,
		async () => {
			await act();
			return holds("seen");
		},
		more,
	);

describe("checks", () => {
	it("run phase after phase, and a lane beside the other", async () => {
		const order: string[] = [];
		let release = () => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		await run({
			checks: [
				check("d", () => void order.push("last"), { phase: "last" }),
				check("a", () => held.then(() => void order.push("slow"))),
				check(
					"b",
					() => {
						order.push("other lane");
						release();
					},
					{ lane: "x" },
				),
				check("c", () => void order.push("changes"), { phase: "changes" }),
			],
		});
		expect(order).toEqual(["other lane", "slow", "changes", "last"]);
	});

	it("run unasked where one that is asked for leans on them, and tell nothing", async () => {
		const order: string[] = [];
		const act = (id: string) => () => void order.push(id);
		const checks = [
			check("a", act("a")),
			check("b", act("b")),
			check("c", act("c"), { leansOn: ["b"] }),
		];
		const wanted = rows.filter(({ id }) => id === "c");
		const { told } = await run({ checks }, undefined, wanted);
		expect(order).toEqual(["b", "c"]);
		expect(told).toEqual([["c", "SUCCESS", "seen"]]);
	});

	it("get what was prepared, which is given back at the end", async () => {
		const seen: string[] = [];
		await run({
			prepare: async () => "ground",
			close: async (ground) => void seen.push(`closed ${ground}`),
			checks: [
				checkRow("a", async (_context, ground) => {
					seen.push(ground);
					return holds("seen");
				}),
			],
		});
		expect(seen).toEqual(["ground", "closed ground"]);
	});

	it("that hang are left, and their row says so", async () => {
		const { told, defects } = await run({
			checks: [
				check("a", () => new Promise(() => {}), { limitMs: 20 }),
				check("b", () => {}),
			],
		});
		expect(told).toEqual([
			["a", "UNTESTABLE", expect.stringContaining("20 ms for this check")],
			["b", "SUCCESS", "seen"],
		]);
		expect(defects).toEqual([]);
	});

	it("that throw are a defect of ours, and cost their row alone", async () => {
		const { told, defects } = await run({
			checks: [
				check("a", () => {
					throw new Error("oh");
				}),
				check("b", () => {}),
			],
		});
		expect(told.map(([, verdict]) => verdict)).toEqual([
			"UNTESTABLE",
			"SUCCESS",
		]);
		expect(defects).toEqual([new Error("oh")]);
	});

	it("that forget a row are a defect, too", async () => {
		const { told, defects } = await run({
			checks: [{ ids: ["a", "b"], run: async () => ({ a: holds("seen") }) }],
		});
		expect(told.map(([, verdict]) => verdict)).toEqual([
			"SUCCESS",
			"UNTESTABLE",
		]);
		expect(defects).toHaveLength(1);
	});
});

describe("a scenario", () => {
	const gate = new Gate(
		untestable({ kind: "traffic", name: "a type" }, "none"),
	);

	it("that cannot begin gives every row its reason", async () => {
		const { told } = await run({
			prepare: () => Promise.reject(gate),
			checks: [check("a", () => {})],
		});
		expect(told).toEqual(
			IDS.map((id) => [id, "UNTESTABLE", expect.stringContaining("a type")]),
		);
	});

	it("goes on where one check gives up", async () => {
		const { told } = await run({
			checks: [
				check("a", () => {
					throw gate;
				}),
				check("b", () => {}),
			],
		});
		expect(told.map(([, verdict]) => verdict)).toEqual([
			"UNTESTABLE",
			"SUCCESS",
		]);
	});

	it("blames no server for what a stopped run cut off, whatever it makes of that", async () => {
		const stop = new AbortController();
		const cutOff = async () => {
			stop.abort(new Error("stopped by us"));
			return broken("the stream did not stay open");
		};
		const { told } = await run(
			{ checks: [checkRow<string>("a", cutOff)] },
			stop.signal,
		);
		expect(told).toEqual([
			["a", "UNTESTABLE", expect.stringContaining("stopped by us")],
		]);
	});

	it("that is stopped says so, and has no defect", async () => {
		const stop = new AbortController();
		const { told, defects } = await run(
			{
				checks: [
					check("a", () => {
						stop.abort(new Error("stopped by us"));
						throw stop.signal.reason;
					}),
				],
			},
			stop.signal,
		);
		expect(told).toEqual([
			["a", "UNTESTABLE", expect.stringContaining("stopped by us")],
		]);
		expect(defects).toEqual([]);
	});
});
