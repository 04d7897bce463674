import { expect, it } from "vitest";
import { CallbackPath } from "../../../src/grade/receiving/callback-path.ts";
import { readCallback } from "../../../src/grade/receiving/callback-request.ts";
import { openScribe } from "../../../src/grade/wire/record.ts";

const now = () => 0;
const scribe = openScribe({ now, secrets: [], secretHeaders: [] });

/** A POST with a body of so many bytes, that is no event. */
const requestOf = (bytes: number) =>
	readCallback(
		{
			head: { method: "POST", target: "/callbacks/a", headers: [] },
			body: Buffer.alloc(bytes),
			atMs: 0,
			socket: undefined,
		},
		scribe,
	);

it.each([
	["many small requests", 10, 6_000, 5_000],
	["large requests", 4 * 1024 * 1024, 30, 17],
])(
	"answers %s, and keeps no more than memory has room for",
	(_what, bytes, count, kept) => {
		const { signal } = new AbortController();
		const clock = { now, setTimer: () => () => {}, signal };
		const path = new CallbackPath("https://a.example/callbacks/a", {}, clock);
		const request = requestOf(bytes);
		for (let came = 0; came < count; came++)
			expect(path.take(request).status).toBe(204);
		expect(path.isFull).toBe(true);
		expect(path.requests).toHaveLength(kept);
	},
);
