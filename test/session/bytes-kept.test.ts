// Events are read without being parsed, for speed: here what comes out is compared with parsing and printing.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter } from "../../src/protocol/index.ts";
import { readEvents, readMessages } from "../../src/session/http/batches.ts";
import { openEventStream, type Session } from "../../src/session/index.ts";
import { Backlog } from "../../src/session/stdio/backlog.ts";
import { createExchangeQueue } from "../../src/session/stdio/exchange-queue.ts";
import { LineRouter } from "../../src/session/stdio/route-lines.ts";
import {
	plainTextOf,
	textOf,
	type Written,
	writtenEvent,
} from "../helpers/written-json.ts";
import { scriptedSession } from "./scripted-session.ts";

const SEED = { seed: 3415 };
const ID = "s1";
const LIMIT = 16 * 1024 * 1024;

type Event = { params: Written; text: string };

/** What is to be printed: the very text, and where it has line ends, the text without white space. */
function printed({ params }: Event): string {
	const text = textOf(params);
	return /[\r\n]/.test(text) ? plainTextOf(params) : text;
}

/** As an event stream: each line of a text in a field of its own. */
const sse = (texts: string[]) =>
	texts
		.map((text) => `data: ${text.split(/\r\n|\r|\n/).join("\ndata: ")}\n\n`)
		.join("");

/** The occurrences that a session makes of one stream, as texts. */
async function occurrencesOf(openStream: Session["openStream"]) {
	const session = { ...scriptedSession({}).session, openStream };
	const params = { name: "a", arguments: {} };
	const lines: string[] = [];
	for await (const frames of openEventStream(session, params, { odd() {} }))
		for (const frame of frames)
			if (frame.kind === "event") lines.push(frame.occurrence.raw.toString());
	return lines;
}

/** Those of the chunks of an event stream. */
function overHttp(chunks: Buffer[]): Promise<string[]> {
	async function* body() {
		yield* chunks;
	}
	const options = { maxMessageBytes: LIMIT, id: ID, skipped: () => {} };
	return occurrencesOf(() => readEvents(body(), options));
}

/** Those of the chunks of a child's stdout. */
function overStdio(chunks: Buffer[]): Promise<string[]> {
	const share = new Backlog().open();
	const queue = createExchangeQueue({ id: ID, isTimed: false, share });
	const router = new LineRouter({ odd() {}, onRequest() {} });
	router.open(queue);
	const splitter = new LineSplitter(LIMIT, {
		onLine: (line) => router.route(line),
		onTooLong() {},
	});
	for (const chunk of chunks) splitter.push(chunk);
	return occurrencesOf(async function* () {
		yield (await queue.take()) ?? [];
	});
}

function cutAt(bytes: Buffer, cuts: number[]): Buffer[] {
	const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
	return places.map((place, at) => bytes.subarray(place, places[at + 1]));
}

const ways = [
	["over HTTP", "many lines", overHttp, sse],
	[
		"over stdio",
		"one line",
		overStdio,
		(texts: string[]) => texts.map((text) => `${text}\n`).join(""),
	],
] as const;

describe.each(ways)("events that come %s", (_way, lines, read, frame) => {
	it("are printed as they were written, and mean what JSON.parse makes of them", async () => {
		const events = fc.array(writtenEvent(lines), {
			minLength: 1,
			maxLength: 4,
		});
		await fc.assert(
			fc.asyncProperty(
				events,
				fc.array(fc.nat(5_000)),
				async (events, cuts) => {
					const bytes = Buffer.from(frame(events.map(({ text }) => text)));
					const told = await read(
						cutAt(
							bytes,
							cuts.map((cut) => Math.min(cut, bytes.length)),
						),
					);
					expect(told).toEqual(events.map(printed));
					expect(told.map((line) => JSON.parse(line))).toEqual(
						events.map(({ text }) => JSON.parse(text).params),
					);
				},
			),
			{ ...SEED, numRuns: 100 },
		);
	});

	it("are printed alike wherever the bytes are cut", async () => {
		const short = writtenEvent(lines).filter(({ text }) => text.length < 2_000);
		const samples = fc.sample(fc.tuple(short, short), { ...SEED, numRuns: 3 });
		for (const events of samples) {
			const bytes = Buffer.from(frame(events.map(({ text }) => text)));
			const wanted = events.map(printed);
			for (let cut = 0; cut <= bytes.length; cut++)
				expect(await read(cutAt(bytes, [cut]))).toEqual(wanted);
			const each = [...bytes].map((byte) => Buffer.of(byte));
			expect(await read(each)).toEqual(wanted);
		}
	});
});

/** What stands for bytes that are JSON, by others' code. */
function isParsed(bytes: Buffer): boolean {
	try {
		JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
		return true;
	} catch {
		return false;
	}
}

async function isTaken(read: () => Promise<void>): Promise<boolean> {
	try {
		await read();
		return true;
	} catch (error) {
		// JSON that is no message is another matter.
		if (error instanceof Error && "code" in error)
			return error.code !== "not-json";
		throw error;
	}
}

async function readAlone(bytes: Buffer) {
	readMessages(bytes);
}

const [OTHER] = fc.sample(writtenEvent("one line"), { ...SEED, numRuns: 1 });
const OTHERS = Buffer.from(sse([OTHER?.text ?? ""]));

async function readAmongOthers(bytes: Buffer) {
	const [before, after] = [Buffer.from("data: "), Buffer.from("\n\n")];
	await overHttp([Buffer.concat([OTHERS, before, bytes, after, OTHERS])]);
}

it.each([
	["alone", "many lines", readAlone],
	["among others of its chunk", "one line", readAmongOthers],
] as const)(
	"refuses exactly what JSON.parse refuses, where bytes of an event were changed that comes %s",
	async (_where, lines, read) => {
		const isFit = (text: string) =>
			lines === "many lines" || !/[\r\n]/.test(text);
		const event = writtenEvent(lines).filter(
			({ text }) => text.length < 2_000 && isFit(text),
		);
		const inserted = fc
			.uint8Array({ maxLength: 3 })
			.filter((bytes) => isFit(String.fromCharCode(...bytes)));
		const change = fc.tuple(event, fc.nat(2_000), fc.nat(3), inserted);
		let refused = 0;
		await fc.assert(
			fc.asyncProperty(change, async ([{ text }, place, length, inserted]) => {
				const whole = Buffer.from(text);
				const at = place % whole.length;
				const rest = whole.subarray(at + length);
				const bytes = Buffer.concat([whole.subarray(0, at), inserted, rest]);
				expect(await isTaken(() => read(whole))).toBe(true);
				expect(await isTaken(() => read(bytes))).toBe(isParsed(bytes));
				if (!isParsed(bytes)) refused++;
			}),
			{ ...SEED, numRuns: 1_000 },
		);
		expect(refused).toBeGreaterThan(250);
		expect(refused).toBeLessThan(990);
	},
);
