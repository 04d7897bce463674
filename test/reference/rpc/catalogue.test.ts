import { describe, expect, it } from "vitest";
import {
	openDemoSource,
	openReferenceServer,
} from "../../../src/reference/index.ts";
import { realClock } from "../manual-clock.ts";
import { ask } from "../wire-client.ts";

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
