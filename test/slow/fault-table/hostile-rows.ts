// Faults of what the server says: corrupted, twice, out of order, late, too large, untrue, or over.
import type { Row } from "./row.ts";
import { type Stage, sleep } from "./stage.ts";

export const HOSTILE_ROWS: readonly Row[] = [
	{
		fault: "1 % of frames corrupted",
		behaviour: { corruptEvery: 100 },
		act: (stage) => stage.flow(250),
	},
	{
		fault: "duplicated, reordered and late",
		behaviour: { duplicate: true, reorder: true, lateMs: 200, spreadMs: 300 },
		async act(stage) {
			await stage.flow(60);
			await stage.server.control({ cut: true });
			await stage.flow(60);
			// What waits for its other half would wait for ever.
			await stage.server.control({ reorder: null, lateMs: null });
			await stage.flow(10);
		},
	},
	{
		fault: "a cursor that is repeated for ever",
		async act(stage) {
			await stage.server.control({ stuckAt: stage.tally.start ?? 0 });
			await stage.flow(40);
			await stage.server.control({ cut: true });
			await stage.flow(40);
		},
	},
	{
		fault: "cursors that jump back",
		async act(stage) {
			// Only now: the first of all says where the counting begins.
			await stage.server.control({ jumpsBack: true });
			for (let times = 0; times < 3; times++) {
				await stage.flow(40);
				await stage.server.control({ cut: true });
			}
			await stage.flow(40);
		},
	},
	{
		fault: "10 MB frames",
		behaviour: { bigEvery: 30, everyMs: 100 },
		skip: { webhook: "a delivery may have 256 KiB: next row" },
		args: ["--stale-after", "10s"],
		act: (stage) => stage.flow(65),
	},
	{
		fault: "deliveries over the limit of 256 KiB",
		behaviour: { bigBytes: 300_000 },
		skip: {
			poll: "there is no such limit: see above",
			push: "there is no such limit: see above",
		},
		toldBy: "rejected",
		async act(stage) {
			await stage.server.control({ bigEvery: 30 });
			await stage.flow(60);
		},
	},
	{
		fault: "history lost: the cursor is too old",
		toldBy: "gap",
		act: (stage) => loseHistory(stage, { refusesOld: null }),
	},
	{
		fault: "history lost: the cursor is refused",
		toldBy: "gap",
		skip: { webhook: "this server tells it by truncated alone" },
		act: (stage) => loseHistory(stage, { refusesOld: true }),
	},
	{
		fault: "terminated: Forbidden",
		endsWith: 4,
		async act(stage) {
			await stage.flow(20);
			// What was not fetched before is no longer ours.
			await stage.readAll();
			await stage.server.control({ terminate: true });
		},
	},
	{
		fault: "expired while the server was away",
		behaviour: { ttlMs: 1_500 },
		skip: {
			poll: "a poll leaves nothing behind that could expire",
			push: "a stream lives as long as its connection",
		},
		async act(stage) {
			await stage.server.control({ refuses: 503 });
			await sleep(3_000);
			await stage.server.control({ refuses: null });
			await stage.flow(60);
		},
	},
	{
		fault: "delivers before it answers subscribe, and we are stopped",
		behaviour: { grantMs: 3_000 },
		skip: {
			poll: "an answer brings its own events",
			push: "a stream is its own answer",
		},
		async act(stage) {
			stage.run?.kill("SIGTERM");
			await stage.ended();
			await stage.beginAndFlow();
			// No record says where it began.
			stage.tally.start = Math.min(...stage.tally.numbers) - 1;
		},
	},
	{
		fault: "forgotten by the server without a word",
		behaviour: { ttlMs: 2_000 },
		skip: {
			poll: "a poll leaves nothing behind that could be forgotten",
			push: "a stream lives as long as its connection",
		},
		async act(stage) {
			await stage.server.control({ forget: true });
			await stage.flow(60);
		},
	},
];

/** Our process ends, much happens, and the server keeps only the last of it. */
async function loseHistory(
	stage: Stage,
	how: { refusesOld: true | null },
): Promise<void> {
	stage.run?.kill("SIGTERM");
	await stage.ended();
	await sleep(1_000);
	const { length } = await stage.server.control();
	await stage.server.control({ oldest: length, ...how });
	// Where the cursor is refused, it begins anew from some time later.
	if (!how.refusesOld) stage.tally.goneUpTo = length;
	stage.begin();
	await stage.flow(20);
}
