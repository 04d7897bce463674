import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeCaptureLine } from "../../../src/captures/index.ts";
import type { FirstMark } from "../../../src/program/follow/shown-mark.ts";
import { readEarlier } from "../../../src/program/listen/earlier-deliveries.ts";
import { temporaryFolder } from "../../state/temporary-folder.ts";

/** A folder with captures cap_0, cap_1, … of these bodies, at /in. */
function folderOf(bodies: object[], path = "/in"): string {
	const folder = temporaryFolder();
	const lines = bodies.map((body, n) =>
		writeCaptureLine(`cap_${n}`, {
			receivedAtMs: 1_000 + n,
			method: "POST",
			path,
			headers: [["webhook-id", `msg_${n}`]],
			body: Buffer.from(JSON.stringify(body)),
			verdict: { kind: "valid" },
			answer: { status: 204 },
		}),
	);
	writeFileSync(join(folder, "a.ndjson"), Buffer.concat(lines));
	return folder;
}

const event = (eventId: string) => ({
	eventId,
	name: "tick",
	timestamp: "2026-01-01T00:00:00Z",
	data: {},
});

const FIVE = ["a", "b", "c", "d", "e"].map(event);

const read = (
	folder: string,
	mark: FirstMark | undefined,
	expects: "events" | "anything" = "events",
) =>
	readEarlier({
		folder,
		paths: ["/in"],
		sinceMs: 0,
		mark,
		label: "tick",
		expects,
	});

const shown = (id: string | undefined): FirstMark => ({
	shown: id,
	doubtful: undefined,
});

it.each<[string, FirstMark | undefined, string[]]>([
	["no mark", undefined, ["a", "b", "c", "d", "e"]],
	["a mark at the third", shown("cap_2"), ["d", "e"]],
	["a mark at the last", shown("cap_4"), []],
	["a mark at a capture that was pruned", shown("cap_9"), []],
])("with %s, the rest is shown first", async (_what, mark, ids) => {
	const { backlog, known } = await read(folderOf(FIVE), mark);
	expect(
		backlog.map(({ item }) => item.kind === "event" && item.occurrence.eventId),
	).toEqual(ids);
	expect(known).toHaveLength(5);
});

it("tells of events that the server skipped, where an earlier run was told of it and did not come to tell", async () => {
	const folder = folderOf([
		event("a"),
		{ type: "gap", cursor: "c9" },
		{ type: "terminated", error: { code: -32023, message: "gone" } },
	]);
	const { backlog } = await read(folder, shown("cap_0"));
	expect(backlog).toMatchObject([
		{ capture: "cap_1", item: { kind: "gap", cursor: "c9" } },
	]);
});

it("names what was being shown, and does not show it again", async () => {
	const mark = { shown: "cap_3", doubtful: { after: "cap_1" } };
	const { backlog, doubtful } = await read(folderOf(FIVE), mark);
	expect(doubtful).toEqual(["cap_2", "cap_3"]);
	expect(backlog.map(({ capture }) => capture)).toEqual(["cap_4"]);
});

it("shows once what was captured twice, and not what was shown before", async () => {
	const folder = folderOf([
		event("a"),
		event("b"),
		event("a"),
		event("c"),
		event("c"),
	]);
	const { backlog } = await read(folder, shown("cap_1"));
	expect(backlog.map(({ capture }) => capture)).toEqual(["cap_3"]);
});

it("leaves alone what came to other paths, and takes a query for nothing", async () => {
	expect((await read(folderOf(FIVE, "/other"), undefined)).known).toEqual([]);
	expect(
		(await read(folderOf(FIVE, "/in?key=1"), undefined)).known,
	).toHaveLength(5);
});

it("shows the messages of any sender where they are expected, and envelopes nowhere", async () => {
	const folder = folderOf([
		{ type: "verification", challenge: "x" },
		{ type: "mystery", cursor: "c" },
	]);
	const asEvents = await read(folder, undefined);
	expect(asEvents.backlog).toEqual([]);
	expect(asEvents.known).toEqual(["message msg_1"]);
	const asAnything = await read(folder, undefined, "anything");
	expect(asAnything.backlog).toHaveLength(1);
});

it("has nothing where there is no folder", async () => {
	const { known, backlog } = await read("/nowhere/at/all", undefined);
	expect([known, backlog]).toEqual([[], []]);
});
