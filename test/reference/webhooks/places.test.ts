import { describe, expect, it } from "vitest";
import { Places } from "../../../src/reference/webhooks/places.ts";

describe("places for POSTs", () => {
	it("are never more than there may be, and go to whoever waits longest", async () => {
		const places = new Places(3);
		const order: number[] = [];
		let most = 0;
		for (let n = 0; n < 2_500; n++)
			places.run(async () => {
				order.push(n);
				most = Math.max(most, places.taken);
				await Promise.resolve();
			});
		expect(places.waiting).toBe(2_497);
		while (places.taken > 0) await new Promise(setImmediate);
		expect(most).toBe(3);
		expect(order).toEqual([...order].sort((a, b) => a - b));
		expect(order).toHaveLength(2_500);
		expect(places.waiting).toBe(0);
	});
});
