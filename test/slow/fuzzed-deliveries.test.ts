import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import {
	openReceiver,
	type ReceivedDelivery,
} from "../../src/receiver/index.ts";
import {
	eventBody,
	makeRoute,
	NOW_MS,
	PATH,
	signedHeaders,
} from "../fixtures/deliveries.ts";
import {
	type FuzzedDelivery,
	fuzzDelivery,
	isGenuine,
	randomFrom,
} from "../fixtures/fuzzed-deliveries.ts";
import { amount } from "../helpers/amount.ts";

const DELIVERIES = amount(10_000, 3_000);
const WARM_UP = amount(2_000, 1_000);
const MIB = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function heapBytes(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed + process.memoryUsage().external;
}

it(`${DELIVERIES} deliveries gone wrong: no crash, no hang, none forged is taken, memory stays flat`, async () => {
	let forged = 0;
	let taken = 0;
	const accept = async ({ headers, body }: ReceivedDelivery) => {
		taken++;
		if (!isGenuine({ headers: [...headers], body })) forged++;
		return undefined;
	};
	const routes = [makeRoute()];
	await using receiver = await openReceiver({
		host: "127.0.0.1",
		port: 0,
		routes,
		now: () => NOW_MS,
		accept,
		limits: { seenKeys: 0 },
	});
	const random = randomFrom(20261130);
	let warm = 0;
	for (let at = 0; at < DELIVERIES; at++) {
		if (at === WARM_UP) warm = heapBytes();
		const bytes = toRequest(fuzzDelivery(random));
		for (let flips = random(3); flips > 0; flips--)
			bytes[random(bytes.length)] = random(256);
		await send(receiver.port, bytes);
	}
	expect(forged).toBe(0);
	expect(taken).toBeGreaterThan(DELIVERIES / 100);
	expect(heapBytes() - warm).toBeLessThan(8 * MIB);
	const right = toRequest({
		headers: signedHeaders({ body: eventBody("last") }),
		body: Buffer.from(eventBody("last")),
	});
	const before = taken;
	await send(receiver.port, right);
	expect(taken).toBe(before + 1);
});

function toRequest({ headers, body }: FuzzedDelivery): Buffer {
	const lines = headers
		.map(([name, value]) => `${name}: ${value}\r\n`)
		.join("");
	const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n${lines}\r\n`;
	return Buffer.concat([Buffer.from(head, "latin1"), body]);
}

/** Sends bytes, ends, and waits until the other side has closed. */
function send(port: number, bytes: Buffer): Promise<void> {
	return new Promise((resolve) => {
		const socket = connect(port, "127.0.0.1", () => socket.end(bytes));
		socket.resume();
		socket.on("error", () => {});
		socket.once("close", () => resolve());
	});
}
