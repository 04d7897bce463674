import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { Outbox } from "../../../src/tail/webhook/outbox.ts";

const parcel = (bytes: number) => ({ items: [], follow: "f", bytes });

it("hands out what came, in order, and counts what waits", async () => {
	const outbox = new Outbox<string>();
	outbox.put(parcel(1));
	outbox.put(parcel(2));
	expect([outbox.length, outbox.bytes]).toEqual([2, 3]);
	const taken = await outbox.take(new AbortController().signal);
	expect(taken?.map(({ bytes }) => bytes)).toEqual([1, 2]);
	expect([outbox.length, outbox.bytes]).toEqual([0, 0]);
});

it("leaves nothing on the signal, however often it has waited", async () => {
	const outbox = new Outbox<string>();
	const { signal } = new AbortController();
	for (let waits = 0; waits < 20; waits++) {
		const taken = outbox.take(signal);
		outbox.put(parcel(1));
		await taken;
	}
	expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

it("waits for the first, and no longer than the signal", async () => {
	const outbox = new Outbox<string>();
	const stop = new AbortController();
	const first = outbox.take(stop.signal);
	outbox.put(parcel(1));
	expect(await first).toHaveLength(1);
	const second = outbox.take(stop.signal);
	stop.abort();
	expect(await second).toBeUndefined();
	outbox.put(parcel(1));
	expect(await outbox.take(stop.signal)).toBeUndefined();
	expect(outbox.drain()).toHaveLength(1);
});
