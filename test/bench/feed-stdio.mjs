// The same over stdio: node feed-stdio.mjs FOLDER EVENTS. What it writes is kept in the folder by request id, so that the
// second run of a client costs no more than the reading of a file, in time and in memory.

import { once } from "node:events";
import {
	closeSync,
	existsSync,
	fstatSync,
	openSync,
	readSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { active, answer, ended, eventChunks } from "./feed.mjs";

const CHUNK_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
const [folder, events] = process.argv.slice(2);

async function say(bytes) {
	if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
}

async function stream(id) {
	const path = join(folder, `frames-${id}`);
	if (!existsSync(path)) {
		const share = { from: 0, to: Number(events) };
		const chunks = eventChunks(id, share, (json) => `${json}\n`);
		writeFileSync(path, Buffer.concat(chunks));
	}
	await say(`${active(id)}\n`);
	const file = openSync(path);
	const { size } = fstatSync(file);
	for (let at = 0; at < size; ) {
		const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
		const length = readSync(file, chunk, 0, CHUNK_BYTES, at);
		// Whole lines: the answer to another request may come between.
		const end = chunk.lastIndexOf(LINE_FEED, length - 1) + 1;
		await say(chunk.subarray(0, end));
		at += end;
	}
	closeSync(file);
	await say(`${ended(id)}\n`);
}

for await (const line of createInterface({ input: process.stdin })) {
	const message = JSON.parse(line);
	if (message.method === "events/stream") void stream(message.id);
	else if (message.id !== undefined) await say(`${answer(message)}\n`);
}
