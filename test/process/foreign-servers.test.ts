// The tool against servers that share no code with it, on both SDKs and on bare node:http: all print the same events.
// What else can be asked of them stands in test/slow/foreign-servers.test.ts.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSdk1Http } from "../fixtures/servers/sdk1-http.ts";
import { runCli } from "../helpers/run-cli.ts";
import {
	FAR_SERVERS,
	type FarServer,
	type FarServerName,
} from "./far-servers.ts";

const NAMES: FarServerName[] = [
	"server 2.x over HTTP",
	"server 2.x over stdio",
	"sdk 1.x over HTTP",
	"bare node:http",
];

describe.concurrent.each(NAMES)("%s", (name) => {
	let far: FarServer;
	beforeAll(async () => {
		far = await FAR_SERVERS[name]();
	});
	afterAll(() => far.close());

	test.each([
		["poll", ["--interval-floor", "10ms"]],
		["stream", []],
		["tail", []],
	])("%s prints each event as the server wrote it", async (command, flags) => {
		const where = [...far.before, "verbatim.case", "--cursor", "0"];
		const count = ["--count", String(far.events.length)];
		const ours = [command, ...where, ...count, ...flags, ...far.after];
		const run = await runCli(ours);
		expect(run).toMatchObject({ status: 0 });
		// In a stream an occurrence carries its cursor, and perhaps the stream's id, beside its own members.
		const own = run.lines.map((line, at) =>
			command === "poll" ? line : `{${ownMembers(line, far, at)}}`,
		);
		expect(own).toEqual(far.events.map((event) => event.text));
		const sent = far.sentBytes();
		const unsent = run.lines.filter((line) => !sent.includes(line));
		expect(unsent, "printed, but never sent").toEqual([]);
	});
});

test("a session of the 1.x server is deleted at the end", async () => {
	const server = await openSdk1Http();
	const run = await runCli(["list", server.url]);
	expect([run.status, server.sessions()]).toEqual([0, 0]);
	await server.close();
});

/** What stands in a printed occurrence at the place where the server's own text must be. */
function ownMembers(line: string, far: FarServer, at: number): string {
	const text = far.events[at]?.text.slice(1, -1) ?? "";
	const start = line.indexOf(text);
	return start === -1 ? line : line.slice(start, start + text.length);
}
