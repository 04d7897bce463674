import { describe, expect, it } from "vitest";
import {
	openDemoSource,
	openReferenceServer,
} from "../../../src/reference/index.ts";
import { realClock } from "../manual-clock.ts";
import {
	openControlledServer,
	SPARE,
	STEADY,
} from "../open-controlled-server.ts";
import { ask, type Json } from "../wire-client.ts";

const open = (pageSize: number) =>
	openReferenceServer({
		sources: [openDemoSource({ clock: realClock, seed: "1", epoch: "run" })],
		clock: realClock,
		version: "0",
		pageSize,
	});

describe("events/list", () => {
	it("comes in pages, the last of which names no next one", async () => {
		await using server = await open(1);
		const first = await ask(server.url, "events/list");
		const cursor = first.result.nextCursor;
		const second = await ask(server.url, "events/list", { cursor });
		const names = [first, second].map(({ result }) => result.events[0].name);
		expect(names).toEqual(["clock.tick", "dice.rolled"]);
		expect(second.result).not.toHaveProperty("nextCursor");
		expect(second.result.resultType).toBe("complete");
	});

	it("describes each type by the five members of a descriptor", async () => {
		await using server = await open(50);
		const { result } = await ask(server.url, "events/list");
		for (const descriptor of result.events)
			expect(descriptor).toEqual({
				name: expect.any(String),
				description: expect.any(String),
				delivery: ["poll", "push"],
				inputSchema: expect.objectContaining({ type: "object" }),
				payloadSchema: expect.objectContaining({ type: "object" }),
			});
	});
});

describe("a catalogue that changes between two pages", () => {
	const page = async (url: string, cursor?: string) =>
		(await ask(url, "events/list", { cursor })).result;
	const namesOf = ({ events }: Json) => events.map(({ name }: Json) => name);

	it("skips and repeats nothing that stood there all along", async () => {
		await using server = await openControlledServer({ pageSize: 2 });
		const all = [
			"steady",
			"spare",
			"quota",
			"no-replay",
			"forgetful",
			"poll-only",
		];
		const first = await page(server.url);
		expect(namesOf(first)).toEqual([STEADY, SPARE]);
		const change = (action: string, name: string) =>
			server.control("catalog", { action, name });
		await change("remove", SPARE);
		await change("remove", STEADY);
		await change("add", "late.comer");
		await change("alter", "conformance.quota");
		const second = await page(server.url, first.nextCursor);
		await change("restore", SPARE);
		const third = await page(server.url, second.nextCursor);
		const fourth = await page(server.url, third.nextCursor);
		expect([second, third, fourth].flatMap(namesOf)).toEqual([
			...all.slice(2).map((name) => `conformance.${name}`),
			"late.comer",
		]);
		expect(fourth).not.toHaveProperty("nextCursor");
		expect(namesOf(await page(server.url))).toEqual([
			SPARE,
			"conformance.quota",
		]);
	});

	it("ends where all that came after the cursor was removed", async () => {
		await using server = await openControlledServer({ pageSize: 5 });
		const { nextCursor } = await page(server.url);
		const name = "conformance.poll-only";
		await server.control("catalog", { action: "remove", name });
		const { resultType, events, ...rest } = await page(server.url, nextCursor);
		expect({ resultType, events }).toEqual({
			resultType: "complete",
			events: [],
		});
		expect(rest).not.toHaveProperty("nextCursor");
	});
});
