import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { openReceiver } from "../../src/receiver/index.ts";
import { judgeDelivery } from "../../src/receiver/judge.ts";
import { explainMismatch } from "../../src/signing/index.ts";
import { makeRoute, NOW_MS, PATH } from "../fixtures/deliveries.ts";
import {
	fuzzDelivery,
	isGenuine,
	randomFrom,
} from "../fixtures/fuzzed-deliveries.ts";

const SEED = 20261130;

describe("two thousand deliveries gone wrong", () => {
	it("are judged without a crash, and none that is forged is taken", () => {
		const random = randomFrom(SEED);
		const counts = { taken: 0, refused: 0 };
		for (let at = 0; at < 2000; at++) {
			const delivery = fuzzDelivery(random);
			const subscriptionId = random(3) === 0 ? undefined : "sub_1";
			const route = makeRoute(
				{ subscriptionId },
				{ expects: random(4) === 0 ? "anything" : "events" },
			);
			const judged = judgeDelivery({ ...delivery, route, nowMs: NOW_MS });
			if (judged.kind === "refused") counts.refused++;
			else {
				counts.taken++;
				expect(isGenuine(delivery), `delivery ${at}`).toBe(true);
			}
		}
		// The fuzzer must reach both sides.
		expect(counts.taken).toBeGreaterThan(100);
		expect(counts.refused).toBeGreaterThan(1000);
	});

	it("are explained without a crash", () => {
		const random = randomFrom(SEED + 1);
		const secrets = makeRoute().registrations[0]?.secrets ?? [];
		for (let at = 0; at < 100; at++) {
			const delivery = fuzzDelivery(random);
			const { kind } = explainMismatch({ ...delivery, secrets, nowMs: NOW_MS });
			expect(kind === "valid").toBe(isGenuine(delivery));
		}
	});

	it("come through a socket as bytes of any kind, and the receiver goes on", async () => {
		let taken = 0;
		const random = randomFrom(SEED + 2);
		await using receiver = await openReceiver({
			host: "127.0.0.1",
			port: 0,
			routes: [makeRoute()],
			now: () => NOW_MS,
			accept: async () => void taken++,
		});
		for (let at = 0; at < 300; at++) {
			const { headers, body } = fuzzDelivery(random);
			const lines = headers
				.map(([name, value]) => `${name}: ${value}\r\n`)
				.join("");
			const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n${lines}\r\n`;
			const bytes = Buffer.concat([Buffer.from(head, "latin1"), body]);
			for (let flips = random(3); flips > 0; flips--)
				bytes[random(bytes.length)] = random(256);
			await send(receiver.port, bytes);
		}
		expect(taken).toBeGreaterThan(0);
	});
});

/** Sends bytes, ends, and waits until the other side has closed. */
function send(port: number, bytes: Buffer): Promise<void> {
	return new Promise((resolve) => {
		const socket = connect(port, "127.0.0.1", () => socket.end(bytes));
		socket.resume();
		socket.on("error", () => {});
		socket.once("close", () => resolve());
	});
}
