import { appendFile, truncate } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openCaptureSource } from "../../../../src/reference/index.ts";
import { createManualClock, realClock } from "../../manual-clock.ts";
import {
	ask,
	type Json,
	post,
	streamMessages,
	take,
} from "../../wire-client.ts";
import {
	captureFolder,
	captureLine,
	eventText,
	openCaptureServer,
} from "./capture-files.ts";

const three = ["e1", "e2", "e3"].map((id, at) =>
	captureLine(eventText(id), at * 1_000),
);

describe("captures that are served", () => {
	it("come with their own ids and times, and their data as it was written", async () => {
		const body =
			'{\n "timestamp": "2026-01-02T03:04:05.123456+01:00", "data" : {"n": 1.0, "big":12345678901234567890},\r\n "name":"order.made","eventId":"e1"}';
		await using place = await captureFolder({
			"a.ndjson": [captureLine(body)],
		});
		await using served = await openCaptureServer([place.folder]);
		const response = await post(served.server.url, "events/poll", {
			name: "order.made",
			cursor: "begin",
		});
		expect(await response.text()).toContain(
			'"events":[{"eventId":"e1","name":"order.made","timestamp":"2026-01-02T03:04:05.123456+01:00","data":{"n": 1.0, "big":12345678901234567890}}]',
		);
	});

	it("leave out what was rejected, envelopes, other senders' messages and torn lines, and say so", async () => {
		const lines = [
			captureLine(eventText("bad"), 0, { verdict: { kind: "no-match" } }),
			captureLine('{"type":"verification","challenge":"x"}'),
			captureLine('{"type":"invoice.paid","data":{}}'),
			captureLine("no JSON"),
			captureLine(eventText("odd", { data: [] })),
			...three,
			captureLine(eventText("torn")).subarray(0, 60),
		];
		await using place = await captureFolder({ "a.ndjson": lines });
		await using served = await openCaptureServer([place.at("a.ndjson")]);
		expect((await served.poll({ cursor: "begin" })).ids).toEqual([
			"e1",
			"e2",
			"e3",
		]);
		expect(served.notes).toEqual([
			expect.stringContaining("line 9 is left out: it is not whole"),
			expect.stringContaining(
				"3 captured events of 1 types; left out: 1 rejected, 4 no events",
			),
		]);
	});

	it("are of the event types that stand in them, over several files in their order", async () => {
		const other = captureLine(eventText("o1", { name: "order.paid" }));
		await using place = await captureFolder({
			"b.ndjson": [...three.slice(2), other],
			"a.ndjson": three.slice(0, 2),
		});
		await using served = await openCaptureServer([place.folder], {
			prefix: "again",
		});
		const { result } = await ask(served.server.url, "events/list");
		expect(result.events.map((type: Json) => type.name)).toEqual([
			"again.order.made",
			"again.order.paid",
		]);
		const all = await served.poll({
			name: "again.order.made",
			cursor: "begin",
		});
		expect(all.ids).toEqual(["e1", "e2", "e3"]);
		expect(all.events[0].name).toBe("again.order.made");
	});

	it("are streamed from now on to the first who asks, which is before the first of them", async () => {
		await using place = await captureFolder({ "a.ndjson": three });
		await using served = await openCaptureServer([place.folder]);
		const messages = streamMessages(served.server.url, { name: "order.made" });
		const ids = (await take(messages, 4)).map(({ params }) => params.eventId);
		expect(ids).toEqual([undefined, "e1", "e2", "e3"]);
		await messages.return(undefined);
		expect(await served.poll()).toMatchObject({ ids: [], hasMore: false });
	});

	it("end with what the files held at the start", async () => {
		await using place = await captureFolder({ "a.ndjson": three });
		await using served = await openCaptureServer([place.folder]);
		await appendFile(place.at("a.ndjson"), captureLine(eventText("late")));
		expect((await served.poll({ cursor: "begin" })).ids).toEqual([
			"e1",
			"e2",
			"e3",
		]);
	});
});

describe("the pace of captures", () => {
	it.each([
		[1, 1_000],
		[10, 100],
		[0.5, 2_000],
	])(
		"at speed %s keeps their gaps, a second each, as %s ms",
		async (speed, gapMs) => {
			await using place = await captureFolder({ "a.ndjson": three });
			const clock = createManualClock();
			await using served = await openCaptureServer([place.folder], {
				speed,
				clock,
			});
			// Nothing happens before somebody asks.
			await clock.advance(60_000);
			const { cursor } = await served.poll();
			expect((await served.poll({ cursor })).ids).toEqual(["e1"]);
			await clock.advance(gapMs - 1);
			expect((await served.poll({ cursor })).ids).toEqual(["e1"]);
			await clock.advance(1);
			expect((await served.poll({ cursor })).ids).toEqual(["e1", "e2"]);
		},
	);

	it("wakes a stream at each event's time, and leaves no timer when it is gone", async () => {
		await using place = await captureFolder({ "a.ndjson": three });
		const clock = createManualClock();
		await using served = await openCaptureServer([place.folder], {
			speed: 2,
			clock,
		});
		const messages = streamMessages(served.server.url, { name: "order.made" });
		await take(messages, 2);
		expect(clock.timers).toBe(1);
		await clock.advance(500);
		const [{ params }] = await take(messages, 1);
		expect(params.eventId).toBe("e2");
		await messages.return(undefined);
		await served.server.close();
		expect(clock.timers).toBe(0);
	});

	it("counts maxAgeMs from when they are served, not from when they once happened", async () => {
		await using place = await captureFolder({ "a.ndjson": three });
		const clock = createManualClock();
		const source = await openCaptureSource({
			paths: [place.folder],
			clock,
			speed: 1,
		});
		const [type] = source.types;
		const cursor = (await type?.head({})) ?? "";
		await clock.advance(2_500);
		const sinceMs = clock.now() - 1_000;
		const batch = await type?.read({
			arguments: {},
			cursor,
			limit: 10,
			sinceMs,
		});
		expect(batch).toMatchObject({ truncated: true, hasMore: false });
		expect(batch?.events).toHaveLength(1);
		await source.close();
	});
});

describe("cursors of captures", () => {
	it("go on over a restart where the same captures stand, though more came to them", async () => {
		await using place = await captureFolder({ "a.ndjson": three.slice(0, 2) });
		let cursor: string;
		{
			await using first = await openCaptureServer([place.folder]);
			({ cursor } = await first.poll({ cursor: "begin", maxEvents: 1 }));
		}
		await appendFile(place.at("a.ndjson"), three[2] ?? "");
		const clock = createManualClock();
		await using second = await openCaptureServer([place.folder], {
			clock,
			speed: 1,
		});
		expect(await second.poll({ cursor })).toMatchObject({
			ids: [],
			truncated: false,
		});
		await clock.advance(1_000);
		expect((await second.poll({ cursor })).ids).toEqual(["e2"]);
	});

	it("take parts, and say that there is more", async () => {
		await using place = await captureFolder({ "a.ndjson": three });
		await using served = await openCaptureServer([place.folder]);
		const part = await served.poll({ cursor: "begin", maxEvents: 2 });
		expect(part).toMatchObject({
			ids: ["e1", "e2"],
			hasMore: true,
			truncated: false,
		});
		const rest = await served.poll({ cursor: part.cursor });
		expect(rest).toMatchObject({ ids: ["e3"], hasMore: false });
	});

	it.each([
		["of other captures", "v1.1.aaaaaaaaaaaa"],
		["beyond the last", "v1.99.aaaaaaaaaaaa"],
	])("%s are a gap: all is served anew", async (_what, cursor) => {
		await using place = await captureFolder({ "a.ndjson": three });
		await using served = await openCaptureServer([place.folder]);
		expect(await served.poll({ cursor })).toMatchObject({
			ids: ["e1", "e2", "e3"],
			truncated: true,
		});
	});

	it.each(["", "beginning", "v1.1", "v1.run.1"])(
		"%j is refused",
		async (cursor) => {
			await using place = await captureFolder({ "a.ndjson": three });
			await using served = await openCaptureServer([place.folder]);
			expect((await served.poll({ cursor })).error.code).toBe(-32602);
		},
	);

	it("over captures that are no more there is a gap, told before what is left", async () => {
		await using place = await captureFolder({ "a.ndjson": three });
		await using served = await openCaptureServer([place.folder]);
		await truncate(place.at("a.ndjson"), (three[0]?.length ?? 0) + 5);
		const part = await served.poll({ cursor: "begin" });
		expect(part).toMatchObject({
			ids: ["e1"],
			hasMore: true,
			truncated: false,
		});
		const rest = await served.poll({ cursor: part.cursor });
		expect(rest).toMatchObject({ ids: [], hasMore: false, truncated: true });
		expect(served.notes.join()).toContain("changed while they are served");
	});
});

describe("what cannot be served", () => {
	const base = { clock: realClock, speed: undefined };
	it.each([
		["a path that is not there", "missing", {}, "file-failed"],
		["a file without one event", "empty.ndjson", {}, "wrong-use"],
		["a prefix that is no name", "a.ndjson", { prefix: "a b" }, "wrong-use"],
	])("is refused at the start: %s", async (_what, name, more, code) => {
		await using place = await captureFolder({
			"empty.ndjson": [],
			"a.ndjson": three,
		});
		const options = { ...base, ...more, paths: [place.at(name)] };
		await expect(openCaptureSource(options)).rejects.toMatchObject({ code });
	});

	it("is more than the limit of events: the first are served, and the operator told", async () => {
		await using place = await captureFolder({ "a.ndjson": three });
		await using served = await openCaptureServer([place.folder], {
			maxEvents: 2,
		});
		expect((await served.poll({ cursor: "begin" })).ids).toEqual(["e1", "e2"]);
		expect(served.notes.join()).toContain("1 too many");
	});
});
