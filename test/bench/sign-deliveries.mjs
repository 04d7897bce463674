// Distinct deliveries for the benches of the receiver and of `verify`, signed as Standard Webhooks has it.
import { createHmac, randomBytes } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";

const KEY = randomBytes(32);
export const KEY_BASE64 = KEY.toString("base64");
export const SECRET = `whsec_${KEY_BASE64}`;
const BATCH = 1_000;

/** The delivery of one number: about 500 bytes of body, and the headers of its signature. */
export function signDelivery(number, nowMs) {
	const digits = String(number).padStart(8, "0");
	const body = JSON.stringify({
		eventId: `evt_${digits}`,
		name: "orders.created",
		timestamp: new Date(nowMs).toISOString(),
		cursor: digits,
		data: {
			repo: "acme/widgets",
			title: "Crème brûlée for the pull request",
			number: digits,
			text: "lorem ipsum dolor sit amet ".repeat(12),
		},
	});
	const id = `msg_${digits}`;
	const timestamp = String(Math.floor(nowMs / 1_000));
	const mac = createHmac("sha256", KEY)
		.update(`${id}.${timestamp}.`)
		.update(body)
		.digest("base64");
	const headers = [
		["Host", "127.0.0.1"],
		["Content-Type", "application/json"],
		["User-Agent", "bench/1"],
		["webhook-id", id],
		["webhook-timestamp", timestamp],
		["webhook-signature", `v1,${mac}`],
	];
	return { id, body, headers };
}

/** Writes `count` of them with the text that `write` makes of each. */
export function writeDeliveries(path, { count, nowMs, write }) {
	const file = openSync(path, "w", 0o600);
	for (let at = 0; at < count; at += BATCH) {
		const size = Math.min(BATCH, count - at);
		const texts = Array.from({ length: size }, (_, index) =>
			write(signDelivery(at + index, nowMs)),
		);
		writeSync(file, texts.join(""));
	}
	closeSync(file);
}

/** The HTTP text of a delivery; beside ours it has the signature that `webhook` reads, with KEY_BASE64 as its secret. */
export function requestText({ body, headers }, path) {
	const hub = createHmac("sha256", KEY_BASE64).update(body).digest("hex");
	const all = [
		...headers,
		["X-Hub-Signature-256", `sha256=${hub}`],
		["Content-Length", Buffer.byteLength(body)],
	];
	const lines = all.map(([name, value]) => `${name}: ${value}\r\n`);
	return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
