// Wherever a frame or a line is cut, the occurrence in it comes out as it was written; and the events of the test servers
// are what they claim to be.
import { describe, expect, test } from "vitest";
import {
	LineSplitter,
	type Message,
	parseMessage,
	payloadSpan,
	readOccurrence,
	scanMessage,
} from "../../src/protocol/index.ts";
import { readEvents } from "../../src/session/http/batches.ts";
import {
	messageText,
	type Oddity,
	openFramer,
} from "../fixtures/servers/raw-wire.ts";
import { compacted, VERBATIM_EVENTS } from "../fixtures/verbatim-events.ts";

describe("cut at every byte", () => {
	test.each<[string, Oddity[]]>([
		["one line each", []],
		["split over data lines, with CRLF", ["split-data", "crlf"]],
		[
			"split over data lines, all line ends mixed",
			["split-data", "mixed-line-ends", "bom"],
		],
		["split over data lines, with CR", ["split-data", "cr", "no-space"]],
	])("frames: %s", async (_, oddities) => {
		const has = (oddity: Oddity) => oddities.includes(oddity);
		const wrong: string[] = [];
		for (const { what, text, compact } of VERBATIM_EVENTS) {
			const expected = has("split-data") ? compact : text;
			const frame = openFramer(has)(messageText(eventMessage(text), has));
			const bytes = Buffer.from(frame);
			for (const at of cuts(bytes)) {
				const parts = [bytes.subarray(0, at), bytes.subarray(at)];
				const printed = (await readFrames(parts)).map(occurrenceText);
				if (printed.join("|") !== expected) wrong.push(`${what}, cut at ${at}`);
			}
		}
		expect(wrong).toEqual([]);
	});

	test("lines of stdio", () => {
		const wrong: string[] = [];
		for (const { what, text } of VERBATIM_EVENTS) {
			const line = messageText(eventMessage(text), () => false);
			const bytes = Buffer.from(`${line}\n`);
			for (const at of cuts(bytes)) {
				const printed = readLines([bytes.subarray(0, at), bytes.subarray(at)]);
				if (printed.join("|") !== text) wrong.push(`${what}, cut at ${at}`);
			}
		}
		expect(wrong).toEqual([]);
	});
});

describe("the events of the test servers", () => {
	test.each(VERBATIM_EVENTS.map((event) => [event.what, event] as const))(
		"%s",
		(_, { text, compact, survives }) => {
			if (survives) expect(JSON.stringify(JSON.parse(text))).toBe(text);
			expect(JSON.parse(compact)).toEqual(JSON.parse(text));
			expect(compacted(text)).toBe(compact);
		},
	);
});

const eventMessage = (body: string) => ({
	method: "notifications/events/event",
	member: "params" as const,
	body,
});

/** Every place for a cut; of a long text its beginning and its end, for the middle is like them. */
function cuts(bytes: Buffer): number[] {
	const all = Array.from(bytes.keys());
	return all.length < 2000 ? all : [...all.slice(0, 160), ...all.slice(-40)];
}

async function readFrames(chunks: Buffer[]): Promise<Message[]> {
	const messages: Message[] = [];
	const stream = (async function* () {
		yield* chunks;
	})();
	const options = { maxMessageBytes: 1e6, id: 1, skipped: () => {} };
	for await (const batch of readEvents(stream, options))
		messages.push(...batch);
	return messages;
}

function occurrenceText(message: Message): string {
	if (message.kind === "notification" && message.occurrence)
		return message.occurrence.raw.toString();
	const span = payloadSpan(message, "params");
	if (!span || message.kind !== "notification") return "no notification";
	return readOccurrence(
		message.bytes,
		span,
		message.params,
		() => {},
	).raw.toString();
}

function readLines(chunks: Buffer[]): string[] {
	const printed: string[] = [];
	const splitter = new LineSplitter(1e6, {
		onLine: (line) =>
			printed.push(occurrenceText(scanMessage(line) ?? parseMessage(line))),
		onTooLong: () => printed.push("too long"),
	});
	for (const chunk of chunks) splitter.push(chunk);
	return printed;
}
