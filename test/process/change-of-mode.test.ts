// A tail that goes on by another way, or gives up, as a user sees it.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { runCli, startCli } from "../helpers/run-cli.ts";
import { type LogServer, openLogServer } from "./log-server.ts";

let server: LogServer;
beforeAll(async () => {
	server = await openLogServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
	server.isPollOnly = false;
	server.isHung = false;
});

const tail = (...more: string[]) => [
	...["tail", server.url.href, "tick", "--interval-floor", "20ms", ...more],
];

it("goes on by poll where the server refuses streams in the middle of a run, without a gap", async () => {
	// Two seconds of events: many may come at once, and the middle is yet to come.
	const run = startCli(tail("-o", "records", "-n", "400"));
	await run.stdout.waitFor((text) => text.split('"event"').length > 20);
	server.isPollOnly = true;
	server.cutStreams();
	const { lines, status } = await run.done;
	const records = lines.map((line) => JSON.parse(line));
	const events = records.filter(({ kind }) => kind === "event");
	const numbers = events.map(({ event }) => Number(event.eventId.slice(1)));
	const [first = 0] = numbers;
	expect(status).toBe(0);
	expect(numbers).toEqual(numbers.map((_, at) => first + at));
	const modes = records.filter(({ kind }) => kind === "mode");
	expect(modes).toMatchObject([{ via: "poll", subscription: "tick" }]);
	expect(records.filter(({ kind }) => kind === "gap")).toEqual([]);
	expect(records.at(-1)).toMatchObject({ kind: "stopped", via: "poll" });
});

it("says in one line that it goes on by poll", async () => {
	server.isPollOnly = true;
	const run = await runCli(tail("-n", "3"));
	expect(run.stderr.match(/goes on by poll/g)).toHaveLength(1);
	expect(run.lines).toHaveLength(3);
});

it("fails where streams are refused and nothing else was asked for", async () => {
	server.isPollOnly = true;
	const run = await runCli(tail("--via", "push"));
	expect(run.status).toBe(2);
});

it("gives up with status 6 on a server that has hung, and says where one may go on", async () => {
	const run = startCli(tail("--give-up-after", "1s", "--stale-after", "300ms"));
	await run.stdout.nextLine();
	server.isHung = true;
	const { status, stderr } = await run.done;
	expect(status).toBe(6);
	expect(stderr).toMatch(/nothing was heard of tick for 1 s/);
	expect(stderr).toMatch(/to go on: --cursor 'c\d+'/);
});

it("tells on request how long ago something came", async () => {
	const run = startCli(tail("--status-every", "200ms", "-o", "records"));
	// The first may be told before any event has come.
	const isTold = (line: string) =>
		/"kind":"status".*"sinceEventMs":\d/.test(line);
	const seen = await run.stdout.waitFor((text) =>
		text.split("\n").slice(0, -1).some(isTold),
	);
	run.kill("SIGTERM");
	await run.done;
	const line = seen.split("\n").find(isTold);
	expect(JSON.parse(line ?? "{}")).toMatchObject({
		kind: "status",
		subscription: "tick",
		sinceEventMs: expect.any(Number),
		sinceSignMs: expect.any(Number),
	});
});
