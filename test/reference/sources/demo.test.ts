import { describe, expect, it } from "vitest";
import { findProblems } from "../../../src/arguments/index.ts";
import type { Source } from "../../../src/reference/index.ts";
import { openDemoSource } from "../../../src/reference/index.ts";
import { createManualClock } from "../manual-clock.ts";

const T0 = 1_800_000_000_000;

function openDemo(more = {}) {
	const clock = createManualClock(T0);
	const options = { clock, seed: "seven", epoch: "run", ...more };
	return { clock, source: openDemoSource(options) };
}

async function read(
	source: Source,
	name: string,
	cursor: string,
	args = {},
	more = {},
) {
	const type = source.types.find((found) => found.descriptor.name === name);
	const batch = await type?.read({
		arguments: args,
		cursor,
		limit: 1_000,
		...more,
	});
	const events = batch?.events.map(({ head }) => JSON.parse(`${head}}`)) ?? [];
	return { ...batch, events };
}

describe("clock.tick", () => {
	it("ticks once a period, with an id that any reader would get", async () => {
		const { source, clock } = openDemo();
		await clock.advance(250);
		const cursor = `v1.tick-100.${T0 / 100}`;
		const { events } = await read(source, "clock.tick", cursor, {
			periodMs: 100,
			label: "x",
		});
		expect(events.map((event) => event.eventId)).toEqual([
			`tick-100-${T0 / 100 + 1}`,
			`tick-100-${T0 / 100 + 2}`,
		]);
		expect(events[0]).toMatchObject({
			timestamp: new Date(T0 + 100).toISOString(),
			data: { periodMs: 100, label: "x" },
		});
	});

	it.each([
		["of another period", `v1.tick-50.${T0 / 50}`],
		["of the future", `v1.tick-100.${T0 / 100 + 5}`],
		["too far back", `v1.tick-100.${T0 / 100 - 50}`],
	])("takes a cursor %s for a gap", async (_what, cursor) => {
		const { source } = openDemo({ bufferSize: 10 });
		const args = { periodMs: 100 };
		const { truncated, hasMore } = await read(
			source,
			"clock.tick",
			cursor,
			args,
		);
		expect([truncated, hasMore]).toEqual([true, false]);
	});

	it("goes no further back than maxAgeMs, and says so", async () => {
		const { source } = openDemo();
		const cursor = `v1.tick-100.${T0 / 100 - 50}`;
		const { events, truncated } = await read(
			source,
			"clock.tick",
			cursor,
			{ periodMs: 100 },
			{ sinceMs: T0 - 1_000 },
		);
		expect([events.length, truncated]).toEqual([11, true]);
	});

	it("wakes its watchers at each tick, and keeps no timer for nobody", async () => {
		const { source, clock } = openDemo();
		const before = clock.timers;
		let wakes = 0;
		const args = { periodMs: 200 };
		const stops = [1, 2].map(() => source.types[0]?.watch(args, () => wakes++));
		expect(clock.timers).toBe(before + 1);
		await clock.advance(400);
		expect(wakes).toBe(4);
		for (const stop of stops) stop?.();
		expect(clock.timers).toBe(before);
	});
});

describe("dice.rolled", () => {
	const START = "v1.run.0";
	const roll = async (seed: string, args: object) => {
		const { source, clock } = openDemo({ seed });
		await clock.advance(20_000);
		source.close();
		return (await read(source, "dice.rolled", START, args)).events;
	};

	it("rolls the same under the same seed, and otherwise under another", async () => {
		const [first, again, other] = await Promise.all(
			["a", "a", "b"].map((seed) => roll(seed, { table: "red" })),
		);
		expect(first).toEqual(again);
		expect(first).not.toEqual(other);
	});

	it("keeps to its filter", async () => {
		const events = await roll("a", { sides: 6, atLeast: 3 });
		expect(events.length).toBeGreaterThan(0);
		for (const { data } of events) {
			expect(data.sides).toBe(6);
			expect(data.value).toBeGreaterThanOrEqual(3);
		}
	});
});

describe("both", () => {
	it("send payloads that fit their payloadSchema, and give examples that fit their inputSchema", async () => {
		const { source, clock } = openDemo();
		const heads = source.types.map((type) => type.head({}));
		await clock.advance(60_000);
		for (const [at, type] of source.types.entries()) {
			const { name, inputSchema, payloadSchema } = type.descriptor;
			for (const example of inputSchema.examples as object[])
				expect(await findProblems(example, inputSchema)).toEqual([]);
			const { events } = await read(source, name, String(await heads[at]));
			expect(events.length).toBeGreaterThan(50);
			for (const { data } of events.slice(0, 20))
				expect(await findProblems(data, payloadSchema)).toEqual([]);
		}
	});

	it("leave no timer behind", async () => {
		const { source, clock } = openDemo();
		await source.close();
		expect(clock.timers).toBe(0);
	});
});
