import { describe, expect, it } from "vitest";
import { createSettling } from "../../../../src/reference/sources/dir/settling.ts";
import { createManualClock } from "../../manual-clock.ts";

function openSettling() {
	const clock = createManualClock();
	const acts: string[][] = [];
	const settling = createSettling(clock, 100, async (paths) => {
		acts.push([...paths]);
	});
	return { clock, acts, settling };
}

describe("paths that settle", () => {
	it("are acted on once each, when they have been quiet", async () => {
		const { clock, acts, settling } = openSettling();
		settling.touch("a");
		await clock.advance(60);
		settling.touch("b");
		settling.touch("a");
		await clock.advance(99);
		expect(acts.flat()).toEqual([]);
		await clock.advance(1);
		expect(acts.flat()).toEqual(["b", "a"]);
		expect(clock.timers).toBe(0);
	});

	it("are acted on in the end though they are never quiet", async () => {
		const { clock, acts, settling } = openSettling();
		for (let count = 0; count < 50; count++) {
			settling.touch("a");
			await clock.advance(50);
		}
		expect(acts.flat()).toEqual(["a"]);
	});

	it("leave no timer behind when all is stopped", async () => {
		const { clock, acts, settling } = openSettling();
		settling.touch("a");
		await settling.stop();
		expect(clock.timers).toBe(0);
		await clock.advance(1_000);
		expect(acts.flat()).toEqual([]);
	});
});
