// Where captures are looked for: by id in the folder, or in bytes that hold captures or plain HTTP text.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../faults/index.ts";
import type { Capture } from "./capture.ts";
import { parseRawRequests } from "./raw-request.ts";
import {
	type CaptureFilters,
	type OddLine,
	passes,
	readCaptureBatches,
	readCaptures,
	readLineBatches,
} from "./read.ts";

export const REJECTED_FOLDER = "rejected";

const CAPTURE_ID = /^cap_[0-9a-z]+_([0-9a-f]{8})_\d+$/;
const OPEN_BRACE = 0x7b;
/** So many captures are handed on at once. */
const BATCH = 100;
/** The largest raw text that is read at once. */
const RAW_LIMIT_BYTES = 64 * 1024 * 1024;

interface ReadOptions {
	filters?: CaptureFilters;
	odd?: (line: OddLine) => void;
}

/** Whether a text has the form of a capture's id. */
export const isCaptureId = (text: string) => CAPTURE_ID.test(text);

/** Whether captures that were rejected lie beside those that were kept: both together are read by time. */
export const hasRejected = (folder: string): Promise<boolean> =>
	readdir(join(folder, REJECTED_FOLDER)).then(
		() => true,
		() => false,
	);

/** Yields all captures of a folder, by time: those that were kept and those that were rejected; in batches. */
export async function* readCaptureFolder(
	folder: string,
	options: ReadOptions = {},
): AsyncGenerator<Capture[]> {
	if (!(await hasRejected(folder)))
		return yield* readCaptureBatches([folder], options);
	const kept = readCaptures([folder], options);
	const rejected = readCaptures([join(folder, REJECTED_FOLDER)], options);
	let batch: Capture[] = [];
	for await (const capture of mergeByTime(kept, rejected)) {
		batch.push(capture);
		if (batch.length < BATCH) continue;
		yield batch;
		batch = [];
	}
	yield batch;
}

/** Yields the captures with these ids, in this order. Throws `capture-unknown` where one is not there. */
export async function* findCaptures(
	folder: string,
	ids: readonly string[],
	options: Pick<ReadOptions, "odd"> = {},
): AsyncGenerator<Capture> {
	for (const id of ids) {
		const found = await findOne(folder, id, options);
		if (!found)
			throw new Fault("capture-unknown", {
				what: `there is no capture ${id}`,
				why: `it is neither in ${folder} nor among the rejected there`,
				next: "see what is there: mcp-events captures list",
			});
		yield found;
	}
}

/**
 * Yields what bytes hold, in batches: captures as NDJSON, or requests as HTTP text. A request has no time of its own: it counts as
 * received at `nowMs`, and has the verdict `unchecked`.
 */
export async function* readDeliveries(
	chunks: AsyncIterable<Buffer>,
	options: ReadOptions & { path: string; nowMs: number },
): AsyncGenerator<Capture[]> {
	const iterator = chunks[Symbol.asyncIterator]();
	const start = await readStart(iterator);
	const rest = { [Symbol.asyncIterator]: () => iterator };
	const whole = joined(start, rest);
	if (start[0] === OPEN_BRACE) return yield* readLineBatches(whole, options);
	const { verdicts: _unchecked, ...filters } = options.filters ?? {};
	const requests = parseRawRequests(await readAll(whole, options.path));
	for (const [at, request] of requests.entries()) {
		const capture: Capture = {
			id: requests.length > 1 ? `${options.path}#${at + 1}` : options.path,
			receivedAtMs: options.nowMs,
			...request,
			verdict: { kind: "unchecked" },
			answer: { status: null },
		};
		if (passes(capture, filters)) yield [capture];
	}
}

async function findOne(
	folder: string,
	id: string,
	options: Pick<ReadOptions, "odd">,
): Promise<Capture | undefined> {
	const log = CAPTURE_ID.exec(id)?.[1] ?? "";
	const places = [folder, join(folder, REJECTED_FOLDER)];
	for (const place of places) {
		const names = await readdir(place).catch(() => []);
		// Each log names its files after itself.
		const files = names
			.filter((name) => name.endsWith(".ndjson") && name.includes(`-${log}-`))
			.sort()
			.map((name) => join(place, name));
		const filters = { ids: [id] };
		for await (const capture of readCaptures(files, { ...options, filters }))
			return capture;
	}
	return undefined;
}

async function* mergeByTime(
	one: AsyncGenerator<Capture>,
	other: AsyncGenerator<Capture>,
): AsyncGenerator<Capture> {
	try {
		let a = await one.next();
		let b = await other.next();
		while (!a.done || !b.done) {
			const isFirst =
				!a.done && (b.done || a.value.receivedAtMs <= b.value.receivedAtMs);
			if (isFirst && !a.done) {
				yield a.value;
				a = await one.next();
			} else if (!b.done) {
				yield b.value;
				b = await other.next();
			}
		}
	} finally {
		await one.return(undefined);
		await other.return(undefined);
	}
}

/** The first bytes, white space before them left out. */
async function readStart(iterator: AsyncIterator<Buffer>): Promise<Buffer> {
	for (;;) {
		const next = await iterator.next();
		if (next.done) return Buffer.alloc(0);
		const start = Buffer.from(next.value);
		const at = start.findIndex((byte) => byte > 0x20);
		if (at >= 0) return start.subarray(at);
	}
}

async function* joined(start: Buffer, rest: AsyncIterable<Buffer>) {
	if (start.length > 0) yield start;
	yield* rest;
}

async function readAll(chunks: AsyncIterable<Buffer>, path: string) {
	const all: Buffer[] = [];
	let length = 0;
	for await (const chunk of chunks) {
		all.push(chunk);
		length += chunk.length;
		if (length > RAW_LIMIT_BYTES)
			throw new Fault("too-large", {
				what: `${path} is too large for HTTP text`,
				why: `more than ${RAW_LIMIT_BYTES} bytes came, and it does not begin as captures do`,
				next: "give captures as NDJSON: those are read one by one",
			});
	}
	return Buffer.concat(all);
}
