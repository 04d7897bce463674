// What is kept of all that a server said: bounded in number and in bytes, and what is let go is counted.
import { describe, expect, it } from "vitest";
import { frameOf } from "../../../src/grade/wire/frame.ts";
import { openScribe } from "../../../src/grade/wire/record.ts";
import { openTrail } from "../../../src/grade/wire/trail.ts";

const scribe = openScribe({ now: () => 0, secrets: [], secretHeaders: [] });

function frameOfBytes(bytes: number) {
	const text = "x".repeat(bytes);
	const about = { direction: "received", via: "http" } as const;
	return frameOf(text, 0, scribe.note(about, text));
}

describe("the trail of a server whose messages are large", () => {
	it("keeps 16 MiB of them, and counts the others", () => {
		const trail = openTrail();
		for (let at = 0; at < 40; at++)
			trail.addFrame(frameOfBytes(1_000_000), "events/poll");
		expect(trail.inbound).toHaveLength(16);
		expect(trail.dropped).toBe(24);
	});

	it("still keeps a small one that fits", () => {
		const trail = openTrail();
		for (let at = 0; at < 17; at++)
			trail.addFrame(frameOfBytes(1_000_000), "events/poll");
		trail.addFrame(frameOfBytes(100), "events/list");
		expect(trail.inbound.at(-1)?.method).toBe("events/list");
	});

	it("keeps as much of answers", () => {
		const trail = openTrail();
		for (let at = 0; at < 40; at++) {
			const frame = frameOfBytes(1_000_000);
			trail.addAnswer({
				method: "events/poll",
				id: at,
				status: 200,
				headers: {},
				outcome: { kind: "none", reason: "empty", told: "nothing" },
				frames: [frame],
				record: frame.record,
				sentAtMs: 0,
				endedAtMs: 0,
				bodyBytes: 1_000_000,
			});
		}
		expect(trail.answers).toHaveLength(16);
	});
});

describe("the trail of a server that says much", () => {
	it("keeps 3000 messages", () => {
		const trail = openTrail();
		const frame = frameOfBytes(10);
		for (let at = 0; at < 3_100; at++) trail.addFrame(frame, "");
		expect(trail.inbound).toHaveLength(3_000);
		expect(trail.dropped).toBe(100);
	});
});
