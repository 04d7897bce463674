import { expect, it, onTestFinished } from "vitest";
import { openListenHandlers } from "../../../src/program/listen/handlers.ts";
import type { ListenFlags } from "../../../src/program/listen/options.ts";
import { createWorld } from "../../../src/program/process/world.ts";
import type { ReceivedDelivery } from "../../../src/receiver/index.ts";
import type { Item } from "../../../src/tail/index.ts";
import { openRecorder } from "../../helpers/open-recorder.ts";

const FLAGS: ListenFlags = {
	host: "127.0.0.1",
	port: 0,
	path: "/hooks/",
	"well-known": false,
	"no-expiry": false,
	keep: false,
	"dedup-window": 0,
	"no-validate": false,
	"max-body": 1,
	tolerance: 300_000,
	quiet: false,
	timeout: 30_000,
	"connect-timeout": 1_000,
	insecure: false,
	force: false,
	"max-message": 1,
};

const output = new Proxy({} as never, {
	get: () => () => {
		throw new Error("nothing is to be said");
	},
});

function delivery(n: number, body = Buffer.from("{}")): ReceivedDelivery {
	return {
		receivedAtMs: 0,
		method: "POST",
		path: "/in",
		headers: [["webhook-id", `msg_${n}`]],
		body,
		subscription: "deliveries",
		subscriptionId: undefined,
		content: { kind: "message" },
		verdict: { kind: "valid", label: "secret", version: "v1" },
		answer: { status: 204 },
		notes: [],
	};
}

async function openTo(url: string) {
	const stop = new AbortController();
	const handlers = await openListenHandlers(
		{
			...FLAGS,
			"forward-to": [url],
			"forward-unverified": false,
			"relay-status": false,
			"exec-timeout": 1_000,
			"exec-concurrency": 1,
			"exec-retries": 0,
		},
		{
			world: createWorld(process, {
				stop: stop.signal,
				atExit: () => () => {},
			}),
			output,
		},
	);
	if (!handlers) throw new Error("no handler");
	onTestFinished(() => handlers.close());
	return handlers;
}

it.each([
	["many", 1_002, 2],
	["large", 33, 1024 * 1024],
])(
	"never waits for a target that stands still, and tells of each delivery that it was too %s to take",
	async (_what, count, bytes) => {
		const target = await openRecorder({
			onRequest: () => new Promise(() => {}),
		});
		const handlers = await openTo(target.url);
		const told: Item[] = [];
		const body = Buffer.from(`"${"x".repeat(bytes - 2)}"`);
		for (let n = 0; n < count; n++) {
			const stored = { delivery: delivery(n, body), isRepeat: false };
			await handlers.afterStored({ ...stored, capture: `cap_${n}` }, (items) =>
				told.push(...items),
			);
		}
		const isTooMany = bytes === 2;
		await expect.poll(() => told.length).toBe(isTooMany ? 2 : 1);
		expect(told[0]).toMatchObject({
			kind: "forwarded",
			status: undefined,
			fault: {
				code: "not-handed-on",
				what: `${isTooMany ? 1000 : 32} wait for it already`,
				next: `mcp-events replay cap_${isTooMany ? 1000 : 32} --to ${target.url}`,
			},
		});
	},
);

it("hands on what comes again only where the sender is answered by its handler", async () => {
	const target = await openRecorder();
	const handlers = await openTo(target.url);
	const again = { delivery: delivery(1), capture: undefined, isRepeat: true };
	await handlers.afterStored(again, () => {});
	await handlers.settle();
	expect(target.requests).toHaveLength(0);
});
