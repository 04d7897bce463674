import { EventEmitter } from "node:events";
import type { Client } from "undici";
import { expect, it } from "vitest";
import { makeH2Clients } from "../../../src/session/http/h2-clients.ts";

/** Clients that only count; each request stands open until its body is closed. */
function makeCounted(streamsEach: number) {
	const counts: number[] = [];
	const bodies: EventEmitter[] = [];
	const clients = makeH2Clients(() => {
		const at = counts.push(0) - 1;
		const request = async ({ path }: { path: string }) => {
			counts[at] = (counts[at] ?? 0) + 1;
			if (path === "/broken") throw new Error("broken");
			const body = new EventEmitter();
			bodies.push(body);
			return { body };
		};
		return Object.assign(Object.create(null), { request }) as Client;
	}, streamsEach);
	const ask = (path = "/") => clients.request({ path, method: "POST" });
	return { ask, counts, bodies, clients };
}

it("a connection is filled before the next is opened", async () => {
	const { ask, counts } = makeCounted(2);
	await Promise.all([ask(), ask(), ask(), ask(), ask()]);
	expect(counts).toEqual([2, 2, 1]);
});

it("a place is free again when its answer is closed, or its request fails", async () => {
	const { ask, counts, bodies } = makeCounted(1);
	await ask();
	bodies[0]?.emit("close");
	await expect(ask("/broken")).rejects.toThrow("broken");
	await ask();
	expect(counts).toEqual([3]);
});
