// listen --exec as a process: a command for each event, with the event on its stdin and no shell.
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventText, openListener } from "../helpers/open-listener.ts";

const SCRIPT = `
import { appendFileSync, readFileSync } from "node:fs";
const line = readFileSync(0, "utf8");
const { eventId, data } = JSON.parse(line);
if (eventId === "evt_bad") { console.error("no such order"); process.exit(3); }
if (eventId === "evt_slow") setInterval(() => {}, 1000);
else appendFileSync(process.argv[2], line);
`;

const handled = (lines: readonly string[]) =>
	lines
		.map((text) => JSON.parse(text))
		.filter(({ kind }) => kind === "handled");

/** A listener that runs the script; `taken` is what the script got. */
async function openRunning(flags: readonly string[] = []) {
	const name = `mcp-events-exec-${process.pid}-${Math.random()}`;
	const script = join(tmpdir(), `${name}.mjs`);
	const file = join(tmpdir(), `${name} taken; rm -rf x.ndjson`);
	writeFileSync(script, SCRIPT);
	const command = `node ${script} '${file}'`;
	const records = ["--exec", command, "-o", "records"];
	const listener = await openListener([...records, ...flags]);
	return { ...listener, taken: () => readFileSync(file, "utf8") };
}

it("hands each event to the command as one line, in order, and tells its status", async () => {
	const listener = await openRunning();
	const texts = [1, 2, 3].map((n) => eventText(`evt_${n}`));
	for (const [at, text] of texts.entries())
		expect(await listener.send(text, { id: `msg_${at}` })).toBe(204);
	await listener.run.stdout.until(/"handled".*"evt_3"/);
	const { lines } = await listener.stop();
	expect(listener.taken()).toBe(`${texts.join("\n")}\n`);
	expect(handled(lines)).toMatchObject(
		[1, 2, 3].map((n) => ({
			id: `evt_${n}`,
			command: "node",
			status: 0,
			signal: null,
			isTimedOut: false,
			capture: expect.stringMatching(/^cap_/),
		})),
	);
});

it("tells what a command that failed said, and goes on", async () => {
	const listener = await openRunning();
	await listener.send(eventText("evt_bad"), { id: "msg_1" });
	await listener.send(eventText("evt_2"), { id: "msg_2" });
	await listener.run.stdout.until(/"handled".*"evt_2"/);
	const { lines } = await listener.stop();
	expect(handled(lines)).toMatchObject([
		{ id: "evt_bad", status: 3, stderrStart: "no such order\n" },
		{ id: "evt_2", status: 0 },
	]);
});

it("ends a command that runs for too long", async () => {
	const listener = await openRunning(["--exec-timeout", "500ms"]);
	await listener.send(eventText("evt_slow"));
	await listener.run.stdout.until(/"handled"/);
	const { lines } = await listener.stop();
	expect(handled(lines)).toMatchObject([
		{ status: null, signal: "SIGTERM", isTimedOut: true },
	]);
});

it("ends what still runs when it is stopped, within its five seconds, and tells", async () => {
	const listener = await openRunning();
	await listener.send(eventText("evt_slow"), { id: "msg_1" });
	await listener.send(eventText("evt_2"), { id: "msg_2" });
	await listener.run.stdout.until(/"evt_2"/);
	// What would take longer is cut off, and tells nothing of what follows.
	const { lines, status } = await listener.stop();
	expect(status).toBe(143);
	const [slow, waiting] = handled(lines);
	expect(slow.fault).toMatchObject({
		code: "not-handed-on",
		what: "the listener ended while it ran",
	});
	expect(waiting.fault.what).toBe("the listener ended first");
	expect(waiting.fault.next).toContain(
		`mcp-events replay ${waiting.capture} --to URL`,
	);
});

it("answers the sender by the command's status under --relay-status", async () => {
	const listener = await openRunning(["--relay-status"]);
	expect(await listener.send(eventText("evt_bad"), { id: "msg_1" })).toBe(500);
	expect(await listener.send(eventText("evt_2"), { id: "msg_2" })).toBe(204);
	await listener.stop();
});

it("tells of a command that is not there", async () => {
	const listener = await openListener(["--exec", "no-such-program --flag"]);
	expect(await listener.send(eventText("evt_1"))).toBe(204);
	await listener.run.stderr.until(
		/handed evt_1 to no-such-program: the command could not be started/,
	);
	await listener.stop();
});
