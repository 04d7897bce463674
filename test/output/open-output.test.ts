import { describe, expect, it } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import { type Form, openOutput, renderTable } from "../../src/output/index.ts";
import type { Item } from "../../src/tail/index.ts";
import { type FakeStream, openFakeStream } from "./fake-terminal.ts";
import { about, eventFrom, ORDER } from "./items.ts";

interface Options {
	form?: Form;
	verbose?: boolean;
	quiet?: boolean;
	env?: Record<string, string>;
	stdout?: FakeStream;
	stderr?: FakeStream;
}

function open(options: Options = {}) {
	const stdout = options.stdout ?? openFakeStream();
	const stderr = options.stderr ?? openFakeStream();
	const output = openOutput({
		env: {},
		form: "events",
		source: "http://127.0.0.1:8931/mcp",
		verbose: false,
		quiet: false,
		programName: "mcp-events",
		...options,
		stdout,
		stderr,
	});
	return { output, stdout, stderr };
}

const NO_REPLAY: Item = {
	...about(),
	kind: "gap",
	reason: "truncated",
	cursor: undefined,
};
const BATCH: Item[] = [
	{ ...about(), kind: "ready", cursor: "c0", first: true },
	eventFrom(ORDER),
	{ ...about(), kind: "gap", reason: "truncated", cursor: "c1" },
	NO_REPLAY,
	eventFrom('{"eventId":"evt_2","name":"orders.created","data":{}}'),
	{ ...about(), kind: "stopped", cursor: "it's c2", fault: undefined },
];

describe("under events", () => {
	it("writes occurrences as received to stdout in one write, and all else to stderr", async () => {
		const { output, stdout, stderr } = open();
		await output.items(BATCH);
		expect(stdout.text()).toBe(
			`${ORDER}\n{"eventId":"evt_2","name":"orders.created","data":{}}\n`,
		);
		expect(stdout.writes).toBe(1);
		expect(stderr.text()).toBe(
			[
				"mcp-events: orders.created: ready, by push",
				"mcp-events: orders.created: events may be missing here: the server skipped some (truncated)",
				"mcp-events: orders.created: stopped; to go on: --cursor 'it'\\''s c2'",
				"",
			].join("\n"),
		);
	});

	it.each([
		`{"eventId":"1","name":"n","data":{"a":1.0,"b":-0,"c":1e400,"d":12345678901234567890,"d":2}}`,
		String.raw`{"name":"n","eventId":"\u0041\ud800","x": [ 1 , 2 ],"data":{}}`,
		'{"eventId":"\u202e\u009b\u007f","name":"n","data":{}}',
	])("keeps every byte of %s", async (json) => {
		const { output, stdout } = open();
		await output.items([eventFrom(json)]);
		expect(stdout.text()).toBe(`${json}\n`);
	});

	it("escapes inside the JSON what a terminal would obey, with the value kept", async () => {
		const json = '{"eventId":"\u202e\u009b","name":"n","data":{"n":1.0}}';
		const { output, stdout } = open({
			stdout: openFakeStream({ isTTY: true }),
		});
		await output.items([eventFrom(json)]);
		expect(stdout.text()).toBe(
			'{"eventId":"\\u202e\\u009b","name":"n","data":{"n":1.0}}\n',
		);
	});

	it("tells with --quiet only what is lost or wrong", async () => {
		const { output, stderr } = open({ quiet: true });
		await output.items(BATCH);
		output.say("connected");
		output.warn("careful");
		await output.close();
		expect(stderr.text()).toBe(
			"mcp-events: orders.created: events may be missing here: the server skipped some (truncated)\nmcp-events: warning: careful\n",
		);
	});

	it("tells of a type without replay with --verbose only", async () => {
		const silent = open();
		await silent.output.items([NO_REPLAY]);
		expect(silent.stderr.text()).toBe("");
		const verbose = open({ verbose: true });
		await verbose.output.items([NO_REPLAY]);
		expect(verbose.stderr.text()).toContain("truncated");
	});
});

describe("under records", () => {
	it("puts everything on stdout, a fault too, and nothing on stderr", async () => {
		const { output, stdout, stderr } = open({ form: "records" });
		await output.items(BATCH);
		await output.fault(
			new Fault("not-events", { what: "no events here", next: "try another" }),
		);
		const kinds = stdout
			.text()
			.trimEnd()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(kinds.map(({ kind }) => kind)).toEqual(
			"ready event gap gap event stopped error".split(" "),
		);
		expect(kinds.at(-1)).toEqual({
			kind: "error",
			code: "not-events",
			what: "no events here",
			next: "try another",
			exitStatus: 5,
		});
		expect(stderr.text()).toBe("");
	});
});

describe("on one terminal", () => {
	it("keeps the order in which things came", async () => {
		const screen = openFakeStream({ isTTY: true, columns: 60 });
		const { output } = open({
			form: "pretty",
			stdout: screen,
			stderr: screen,
			env: { NO_COLOR: "1" },
		});
		await output.items(BATCH);
		expect(screen.text().split("\n")).toEqual([
			"mcp-events: orders.created: ready, by push",
			"14:03:07 orders.created evt_1",
			"  id: 12345678901234567890",
			"  total: 1.0",
			'  customer: {"name":"Ann","tags":["a","b"]}',
			"mcp-events: orders.created: events may be missing here: the server skipped some (truncated)",
			"14:03:09 orders.created evt_2",
			"  {}",
			"mcp-events: orders.created: stopped; to go on: --cursor 'it'\\''s c2'",
			"",
		]);
	});

	it("colours by TERM and FORCE_COLOR, and loses nothing while colours load", async () => {
		const { output, stderr } = open({ env: { FORCE_COLOR: "1" } });
		output.warn("first");
		output.say("second");
		await output.close();
		expect(stderr.text()).toBe(
			"mcp-events: \u001b[33mwarning:\u001b[39m first\nmcp-events: second\n",
		);
	});
});

describe("text", () => {
	it("makes a plain text visible, and lets a renderer lay out its own", async () => {
		const { output, stdout } = open();
		await output.text("a\x1b[2J\nb");
		await output.text((page) => renderTable([{ title: "A" }], [["x"]], page));
		expect(stdout.text()).toBe("a\\u001b[2J\nb\nA\nx\n");
	});
});

describe("lines", () => {
	it("writes other JSON line by line, in one write", async () => {
		const { output, stdout } = open();
		await output.lines([]);
		await output.lines([Buffer.from('{"name": "a"}'), '{"name":"b"}']);
		expect(stdout.text()).toBe('{"name": "a"}\n{"name":"b"}\n');
		expect(stdout.writes).toBe(1);
	});
});

describe("fault", () => {
	it("shows the three parts, each on one line", async () => {
		const { output, stdout, stderr } = open();
		await output.fault(
			new Fault("connection-refused", {
				what: "nothing answers at http://localhost:8931/mcp",
				why: "the connection was refused\n  next: rm -rf /",
				next: "start your server",
			}),
		);
		expect(stdout.text()).toBe("");
		expect(stderr.text()).toBe(
			[
				"mcp-events: nothing answers at http://localhost:8931/mcp",
				"  why:  the connection was refused\\u000a  next: rm -rf /",
				"  next: start your server",
				"",
			].join("\n"),
		);
	});

	it("calls anything else our defect, with where it happened and what caused it", async () => {
		const { output, stderr } = open();
		const cause = new RangeError("deep");
		await output.fault(new TypeError("x is undefined", { cause }));
		const [what, why, next, ...stack] = stderr.text().trimEnd().split("\n");
		expect(what).toBe(
			"mcp-events: this is a defect of mcp-events: TypeError: x is undefined",
		);
		expect(why).toMatch(/^ {2}why: {2}not known/);
		expect(next).toMatch(/^ {2}next: please report/);
		expect(stack[0]).toBe("    TypeError: x is undefined");
		expect(stack[1]).toMatch(/^ {4}at .*open-output\.test\.ts/);
		expect(stack).toContain("    caused by:");
	});

	it("shows what was thrown that is no error at all", async () => {
		const { output, stderr } = open();
		await output.fault("just a text");
		expect(stderr.text()).toContain("a defect of mcp-events: just a text\n");
	});
});

describe("a child's stderr", () => {
	it("passes on each line, marked and harmless", () => {
		const { output, stderr } = open({ quiet: true });
		output.childLine(Buffer.from("\tat main\x1b[2J\r\n"));
		output.childLine(Buffer.from([0x61, 0x9b, 0x62]));
		output.childLine("");
		return output.close().then(() => {
			expect(stderr.text()).toBe(
				"server|     at main\\u001b[2J\nserver| a\ufffdb\nserver|\n",
			);
		});
	});

	it("cuts a line that is too long, and says by how much", async () => {
		const { output, stderr } = open();
		output.childLine("x".repeat(20_000));
		await output.close();
		expect(stderr.text()).toBe(
			`server| ${"x".repeat(16_384)}… (3616 more bytes)\n`,
		);
	});
});

it("hides our credentials in what a server says of them, on stdout as records too, and in no event", async () => {
	const { output, stdout, stderr } = open({ form: "records" });
	output.hide(["hunter2-hunter2"]);
	const fault = new Fault("unauthorized", {
		what: "the token hunter2-hunter2 is refused",
	});
	const event = eventFrom(
		'{"eventId":"e","name":"n","data":{"a":"hunter2-hunter2"}}',
	);
	await output.items([
		event,
		{ ...about(), kind: "stopped", cursor: "c", fault },
	]);
	await output.fault(fault);
	const [shown, stopped, last] = stdout.text().trim().split("\n");
	expect(shown).toContain("hunter2-hunter2");
	expect(JSON.parse(stopped ?? "").fault.what).toBe("the token *** is refused");
	expect(JSON.parse(last ?? "").what).toBe("the token *** is refused");
	expect(stderr.text()).toBe("");
});
