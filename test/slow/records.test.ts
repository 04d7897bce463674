// The records and captures of real runs, held to what mcp-events-records(5) and mcp-events-captures(5) say of them.
// RECORD_PAGES=1 writes lines of these runs into the pages.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { VERDICT_KINDS } from "../../man/render-captures.ts";
import {
	RECORD_COMMON_FIELDS,
	RECORD_KINDS,
	type RecordField,
} from "../../src/output/index.ts";
import { openRecorder } from "../helpers/open-recorder.ts";
import { runCli, startCli } from "../helpers/run-cli.ts";
import { openLogServer } from "../process/log-server.ts";
import { openLoop } from "../process/loop-runs.ts";
import {
	openRawServer,
	openSse,
	send,
	sendEvent,
	sendResult,
} from "../tail/raw-server.ts";

type Json = Record<string, unknown>;

const root = join(import.meta.dirname, "../..");
const RECORDS_PAGE = join(root, "man/records.5.md");
const CAPTURES_PAGE = join(root, "man/captures.5.md");

const lines: string[] = [];
let captures: Json[] = [];

/** A stream with all that a server may say on one, and its end. */
async function followToTheEnd(): Promise<void> {
	await using server = await openRawServer((call) => {
		if (call.method === "events/list")
			return sendResult(call, {
				resultType: "complete",
				events: [
					{
						name: "tick",
						description: "A tick.",
						delivery: ["push"],
						inputSchema: {},
						payloadSchema: {},
					},
				],
			});
		openSse(call);
		send(call, "active", { cursor: "c0", truncated: true });
		sendEvent(call, 1);
		send(call, "heartbeat", { cursor: "c1" });
		send(call, "error", {
			error: { code: -32603, message: "one event could not be read" },
		});
		send(call, "terminated", {
			error: { code: -32024, message: "no longer yours" },
		});
	});
	const run = await runCli([
		"stream",
		server.url.href,
		"tick",
		"--heartbeats",
		"-o",
		"records",
	]);
	expect(run.status, run.stderr).toBe(4);
	lines.push(...run.lines);
}

/** A server whose streams are cut, and then refused. */
async function followThroughTrouble(): Promise<void> {
	await using server = await openLogServer();
	const words = [
		"tail",
		server.url.href,
		"tick",
		"--status-every",
		"100ms",
		"-o",
		"records",
	];
	const run = startCli(words);
	await run.stdout.until(/"kind":"event"[\s\S]*"kind":"status"/);
	server.cutStreams();
	await run.stdout.until(/"kind":"reconnecting"/);
	server.isPollOnly = true;
	server.cutStreams();
	await run.stdout.until(/"kind":"mode"/);
	run.kill("SIGINT");
	lines.push(...(await run.done).lines);
}

/** Webhooks of a server, which go to a URL and to a command; one is refused. */
async function receive(): Promise<void> {
	const loop = await openLoop();
	await loop.serve();
	const handler = await openRecorder();
	const run = await loop.listen([
		"--forward-to",
		handler.url,
		"--exec",
		"wc -c",
	]);
	loop.append("order A-1\n");
	await run.stdout.until(/"kind":"event"/);
	await run.stdout.until(/"kind":"handled"/);
	await run.stdout.until(/"kind":"forwarded"/);
	const at = /"url":"(https:[^"]+)"/.exec(run.stdout.text)?.[1] ?? "";
	const secret = join(loop.folder, "other.secret");
	writeFileSync(
		secret,
		(await runCli(["secret"], { stdoutForm: "any" })).stdout,
	);
	await runCli([
		"send",
		"--to",
		at,
		"--secret-file",
		secret,
		"--event",
		"file.line",
		"--insecure",
	]);
	await run.stdout.until(/"kind":"rejected"/);
	run.kill("SIGINT");
	lines.push(...(await run.done).lines);
	captures = loop.captured();
}

async function collect(): Promise<void> {
	lines.length = 0;
	await followToTheEnd();
	await followThroughTrouble();
	await receive();
	if (process.env.RECORD_PAGES) record();
}

let collecting: Promise<void> | undefined;

/** The records of all runs, which are made once, by the test that asks first. */
async function records(): Promise<Json[]> {
	collecting ??= collect();
	// Another attempt is to make them anew.
	await collecting.catch((error) => {
		collecting = undefined;
		throw error;
	});
	return lines.map((line) => JSON.parse(line));
}

const namesOf = (fields: readonly RecordField[]) =>
	fields.map(({ name }) => name);

/** What a record has that is not documented, or lacks. */
function strayMembers(record: Json): string[] {
	const kind = RECORD_KINDS[record.kind as keyof typeof RECORD_KINDS];
	const fields = [...RECORD_COMMON_FIELDS, ...kind.fields];
	const needed = namesOf(fields.filter(({ isOptional }) => !isOptional));
	const names = Object.keys(record);
	const inOrder = namesOf(fields).filter((name) => names.includes(name));
	return [
		...names
			.filter((name, at) => name !== inOrder[at])
			.map((name) => `${record.kind} has ${name}`),
		...needed
			.filter((name) => !names.includes(name))
			.map((name) => `${record.kind} lacks ${name}`),
	];
}

it("show every kind that is documented, and no other", async () => {
	expect(
		[...new Set((await records()).map(({ kind }) => kind))].sort(),
	).toEqual(Object.keys(RECORD_KINDS).sort());
});

it("have the members that are documented, in their order", async () => {
	expect((await records()).flatMap(strayMembers)).toEqual([]);
});

it("are the examples of the manual: one line of each kind", async () => {
	await records();
	const examples = blockOf(RECORDS_PAGE, "records-kinds").map((line) =>
		JSON.parse(line),
	);
	expect(examples.map(({ kind }) => kind)).toEqual(Object.keys(RECORD_KINDS));
	expect(examples.flatMap(strayMembers)).toEqual([]);
});

it("are captured with the members that the manual has, in its order", async () => {
	await records();
	const section =
		readFileSync(CAPTURES_PAGE, "utf8")
			.split("\n## ")
			.find((text) => text.startsWith("Members")) ?? "";
	const documented = [...section.matchAll(/^`(\w+)`\n: /gm)].map(
		([, name]) => name,
	);
	const examples = blockOf(CAPTURES_PAGE, "json").map((line) =>
		JSON.parse(line),
	);
	for (const capture of [...captures, ...examples]) {
		const names = Object.keys(capture);
		expect(documented.filter((name) => name && names.includes(name))).toEqual(
			names,
		);
		expect(Object.keys(VERDICT_KINDS)).toContain(capture.verdict.kind);
	}
	const all = new Set(examples.flatMap(Object.keys));
	expect(documented.filter((name) => name && !all.has(name))).toEqual([]);
});

/** The lines of a page's block of this language. */
function blockOf(path: string, language: string): string[] {
	const [, block = ""] =
		new RegExp(`^\`\`\`${language}\\b.*\n([\\s\\S]*?)^\`\`\`$`, "m").exec(
			readFileSync(path, "utf8"),
		) ?? [];
	return block.trimEnd().split("\n");
}

function record(): void {
	const of = new Map(lines.map((line) => [JSON.parse(line).kind, line]));
	replaceBlock(
		RECORDS_PAGE,
		"records-kinds",
		Object.keys(RECORD_KINDS).map((kind) => of.get(kind) ?? "{}"),
	);
	const event = captures.find(({ body }) => String(body).includes("eventId"));
	const { body: _, ...rest } = event ?? {};
	const { verdict, answer, ...head } = rest;
	const binary = { ...head, bodyBase64: "/9j/4AAQ", verdict, answer };
	replaceBlock(
		CAPTURES_PAGE,
		"json",
		[event, binary].map((each) => JSON.stringify(each)),
	);
}

function replaceBlock(path: string, language: string, block: string[]): void {
	const text = readFileSync(path, "utf8");
	const pattern = new RegExp(
		`(^\`\`\`${language}\\b.*\n)[\\s\\S]*?(^\`\`\`$)`,
		"m",
	);
	writeFileSync(
		path,
		text.replace(
			pattern,
			(_all, start, end) => `${start}${block.join("\n")}\n${end}`,
		),
	);
}
