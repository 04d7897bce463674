import { Readable } from "node:stream";
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	endsAnswer,
	readEvents,
	readMessages,
} from "../../../src/session/http/batches.ts";
import type { ReadingGate } from "../../../src/session/index.ts";
import { notification, result, rpcError } from "./harness.ts";

async function* chunksOf(...chunks: string[]) {
	for (const chunk of chunks) yield Buffer.from(chunk);
}

const optionsWith = (skipped: string[], gate?: ReadingGate) => ({
	maxMessageBytes: 1000,
	id: 1,
	skipped: (type: string) => skipped.push(type),
	gate,
});

async function read(chunks: AsyncIterable<Buffer>, skipped: string[] = []) {
	const batches: string[][] = [];
	const options = optionsWith(skipped);
	let fault: unknown;
	try {
		for await (const batch of readEvents(chunks, options))
			batches.push(batch.map(({ bytes }) => bytes.toString()));
	} catch (error) {
		fault = error;
	}
	return { batches, fault };
}

/** As it is read without being parsed. */
const EVENT =
	'{"jsonrpc":"2.0","method":"notifications/events/event","params":{"eventId":"1","name":"a","timestamp":"2026-11-30T12:00:00Z","data":{}}}';

const frame = (text: string) => `data: ${text}\n\n`;

describe("one JSON text", () => {
	it("is one message, with exactly its bytes", () => {
		const text = ` ${result(1)}`;
		expect(
			readMessages(Buffer.from(text)).map(({ bytes }) => bytes.toString()),
		).toEqual([text]);
	});

	it("may begin with a byte order mark", () => {
		expect(readMessages(Buffer.from(`\ufeff${result(1)}`))).toMatchObject([
			{ kind: "result", id: 1 },
		]);
	});

	it("may be a batch, each message with its own bytes", () => {
		const messages = readMessages(
			Buffer.from(`[ ${notification(1)} ,\n${result(1)}]`),
		);
		expect(messages.map(({ bytes }) => bytes.toString())).toEqual([
			notification(1),
			result(1),
		]);
	});

	it.each([
		["{", "not-json"],
		["1", "wrong-shape"],
		["[1]", "wrong-shape"],
		['{"id":1,"result":{}}', "wrong-shape"],
	])("that is %s is a fault: %s", (text, code) => {
		expect(() => readMessages(Buffer.from(text))).toThrow(
			expect.objectContaining({ code }),
		);
	});
});

describe("the end of an answer", () => {
	it.each([
		[result(1), true],
		[result("1"), false],
		[rpcError(1, -32601), true],
		[rpcError(null, -32700), true],
		[rpcError(2, -32601), false],
		[notification(1), false],
	])("is %s: %s", (text, ends) => {
		const [message] = readMessages(Buffer.from(text));
		expect(message && endsAnswer(message, 1)).toBe(ends);
	});
});

describe("an event stream", () => {
	it("gives one batch for each chunk that ends a message", async () => {
		const chunks = chunksOf(
			frame(notification(1)) + frame(notification(2)),
			"data: ",
			`${result(1)}\n\n`,
		);
		expect((await read(chunks)).batches).toEqual([
			[notification(1), notification(2)],
			[result(1)],
		]);
	});

	it("gives each event the bytes of its own, where a chunk holds several", async () => {
		const events = ["1", "é", "☕"].map((id) =>
			EVENT.replace(`"1"`, JSON.stringify(id)),
		);
		const { batches } = await read(chunksOf(events.map(frame).join("")));
		expect(batches).toEqual([events]);
	});

	it("is not read beyond the response", async () => {
		const { batches } = await read(
			chunksOf(frame(result(1)), frame(notification(2))),
		);
		expect(batches).toEqual([[result(1)]]);
	});

	it("may end in order without a response, and an unfinished event is none", async () => {
		const { batches, fault } = await read(
			chunksOf(frame(notification(1)), `data: ${result(1)}`),
		);
		expect({ batches, fault }).toEqual({
			batches: [[notification(1)]],
			fault: undefined,
		});
	});

	it("skips other types of events and empty data, and tells of the types", async () => {
		const skipped: string[] = [];
		const text = `event: ping\ndata: {}\n\ndata:\n\nevent: message\n${frame(result(1))}`;
		expect((await read(chunksOf(text), skipped)).batches).toEqual([
			[result(1)],
		]);
		expect(skipped).toEqual(["ping"]);
	});

	it.each([
		["not-json", frame("<html>")],
		["wrong-shape", frame("{}")],
		["not-json", `data: ${EVENT.slice(0, -1)}\n}\n\n`],
		["not-json", `${frame(EVENT.slice(0, -1))}}`],
		["too-large", frame(" ".repeat(1001))],
		["too-large", "x".repeat(2000)],
	])(
		"that breaks with %s gives what came before it first",
		async (code, text) => {
			const { batches, fault } = await read(
				chunksOf(frame(notification(1)) + text),
			);
			expect(batches).toEqual([[notification(1)]]);
			expect(fault).toMatchObject({ code });
		},
	);
});

it("a batch is let go of once the next is asked for", async () => {
	const text = frame(notification(1));
	const events = readEvents(chunksOf(text, text), optionsWith([]));
	const first = await events.next();
	expect(first.value).toHaveLength(1);
	const second = await events.next();
	expect([first.value, second.value]).toMatchObject([[], [{}]]);
});

describe("a gate before what is read", () => {
	/** Lets in what comes when it is told to, and tells what it saw. */
	function openGate() {
		const seen: string[] = [];
		const letIn: (() => void)[] = [];
		const gate: ReadingGate = {
			enter(bytes) {
				seen.push(`enter ${bytes}`);
				return new Promise((resolve) => letIn.push(resolve));
			},
			leave: () => void seen.push("leave"),
		};
		return { gate, seen, letIn };
	}

	it("holds each chunk until it may be read, and is left when its messages were taken", async () => {
		const { gate, seen, letIn } = openGate();
		const text = frame(notification(1));
		const events = readEvents(chunksOf(text, text), optionsWith([], gate));
		const first = events.next();
		await expect.poll(() => letIn.length).toBe(1);
		letIn[0]?.();
		expect((await first).value).toHaveLength(1);
		expect(seen).toEqual([`enter ${text.length}`]);
		void events.next();
		await expect.poll(() => letIn.length).toBe(2);
		expect(seen.slice(1)).toEqual(["leave", `enter ${text.length}`]);
	});

	it("is left for a chunk without a message, before the next is waited for", async () => {
		const { gate, seen, letIn } = openGate();
		async function* half() {
			yield Buffer.from(": beat\n\n");
			await new Promise(() => {});
		}
		void readEvents(half(), optionsWith([], gate)).next();
		await expect.poll(() => letIn.length).toBe(1);
		letIn[0]?.();
		await expect.poll(() => seen).toEqual(["enter 8", "leave"]);
	});

	it("is left by a reader that goes away", async () => {
		const { gate, seen, letIn } = openGate();
		const chunks = chunksOf(frame(notification(1)));
		const events = readEvents(chunks, optionsWith([], gate));
		const first = events.next();
		await expect.poll(() => letIn.length).toBe(1);
		letIn[0]?.();
		await first;
		await events.return(undefined);
		expect(seen.at(-1)).toBe("leave");
	});
});

const LINE_FEED = 0x0a;

/** A frame of a stream as servers write them, mostly alike; each event has a number of its own. */
const frames = fc
	.array(
		fc.record({
			before: fc.constantFrom("", "", "event: message\n", "id: 7\n", ": on\n"),
			kind: fc.constantFrom(
				"event",
				"event",
				"event",
				"other",
				"typed",
				"none",
			),
			end: fc.constantFrom("\n", "\n", "\n", "\r\n", "\r"),
			space: fc.constantFrom("", " ", "\t"),
			text: fc.constantFrom("a", "é☕", '\\"', "data: "),
		}),
		{ minLength: 1, maxLength: 30 },
	)
	.map((drawn) =>
		drawn.map(({ before, kind, end, space, text }, at) => {
			const event = EVENT.replace('"1"', `"${at}"`)
				.replace("{}", `{"text":"${text}"}`)
				.replace(":{", `:${space}{`);
			const data = kind === "other" ? notification(at) : event;
			const lines =
				kind === "none"
					? [": nothing", "", ""]
					: [
							...(kind === "typed" ? ["event: x"] : []),
							`data: ${data}`,
							"",
							"",
						];
			return before.replace("\n", end) + lines.join(end);
		}),
	);

describe("an event stream, scanned frame by frame", () => {
	it("gives what another parser of event streams makes of it, wherever it is cut", async () => {
		// Anywhere, and between two lines, where it is rarer by chance.
		const cuts = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(frames, cuts, async (frames, cuts) => {
				// The other one waits for what follows a last CR.
				const text = `${frames.join("")}: end\n`;
				const wanted: string[] = [];
				const other = createParser({
					onEvent({ event = "message", data }) {
						if (event === "message") wanted.push(data);
					},
				});
				other.feed(text);
				const bytes = Buffer.from(text);
				const places = cuts.map(([cut, isAtLine]) => {
					const at = cut % bytes.length;
					return isAtLine ? bytes.indexOf(LINE_FEED, at) + 1 : at;
				});
				places.push(0);
				places.sort((one, other) => one - other);
				const chunks = places.map((from, at) =>
					bytes.subarray(from, places[at + 1]),
				);
				const { batches, fault } = await read(Readable.from(chunks));
				expect(fault).toBeUndefined();
				expect(batches.flat()).toEqual(wanted);
			}),
			{ seed: 3415, numRuns: 1_000 },
		);
	});

	it("refuses one that is over the limit among those that are alike, after those before it", async () => {
		const long = EVENT.replace("{}", `{"a":"${"x".repeat(1000)}"}`);
		const text = [EVENT, EVENT, EVENT, long, EVENT].map(frame).join("");
		const { batches, fault } = await read(chunksOf(text));
		expect(batches).toEqual([[EVENT, EVENT, EVENT]]);
		expect(fault).toMatchObject({ code: "too-large" });
	});
});
