// The safe position, held to a slow and plain way of finding it.
import { describe, expect, it } from "vitest";
import {
	type Mark,
	Watermark,
} from "../../../src/reference/webhooks/watermark.ts";

describe("the watermark", () => {
	it("does not pass an unsettled event, and jumps over all that settled behind it", () => {
		const mark = new Watermark("0");
		const [first, second, third] = ["1", "2", "3"].map((at) =>
			mark.add(at),
		) as [Mark, Mark, Mark];
		mark.settle(second);
		expect(mark.cursor).toBe("0");
		expect(mark.cursorWith(third)).toBe("0");
		expect(mark.cursorWith(first)).toBe("2");
		mark.settle(first);
		expect(mark.cursor).toBe("2");
		mark.advance("3.5");
		expect(mark.cursor).toBe("2");
		mark.settle(third);
		expect(mark.cursor).toBe("3.5");
	});

	it("is where a plain search finds it, in whatever order events settle", () => {
		let seed = 7;
		const random = (below: number) => {
			seed = (seed * 48_271) % 2_147_483_647;
			return seed % below;
		};
		const mark = new Watermark("0");
		const events: { cursor: string; mark: Mark; isSettled: boolean }[] = [];
		for (let step = 0; step < 3_000; step++) {
			const open = events.filter(({ isSettled }) => !isSettled);
			const event = open[random(Math.min(open.length, 8) || 1)];
			if (!event || random(2) === 0) {
				const cursor = String(events.length + 1);
				events.push({ cursor, mark: mark.add(cursor), isSettled: false });
			} else {
				event.isSettled = true;
				mark.settle(event.mark);
			}
			const firstOpen = events.findIndex(({ isSettled }) => !isSettled);
			const settled = firstOpen < 0 ? events.length : firstOpen;
			expect(mark.cursor).toBe(String(settled));
		}
	});
});
