// Every example of every command, run as help and man pages have it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { examplesOf, readCommands } from "../../src/program/help/manifest.ts";
import {
	type ExamplePlace,
	openExamplePlace,
} from "../helpers/example-place.ts";
import { hasProgram } from "../helpers/run-shell.ts";
import { EXAMPLES, type Example, NOT_RUN } from "./example-rows.ts";

const commands = await readCommands(join(import.meta.dirname, "../.."));
const examples = [
	...new Set(commands.flatMap((command) => examplesOf(command, "mcp-events"))),
];
const CAPTURE_ID = "cap_mf3k2x1a_0b1c2d3e_1";
const PROGRAMS = ["jq", "sqlite3", "curl"];

const FILES = {
	"handle.js": `import { appendFileSync } from "node:fs";
		process.stdin.resume().on("end", () => appendFileSync("handled", (process.argv[2] ?? "one") + "\\n"));`,
	"server.js": `import { spawn } from "node:child_process";
		spawn("mcp-events", ["serve", "--stdio"], { stdio: "inherit" }).on("exit", (status) => process.exit(status ?? 1));`,
	"package.json": '{"type":"module"}',
	"subscriptions.txt": "orders.created -a status=paid\nstock.low -a below=5\n",
	"serve.json": '{"sources":[{"kind":"demo"}]}',
	"known.yaml": "[]\n",
	"body.json": "{}",
	"app.log": "",
	producer: "#!/bin/sh\necho '{\"id\":1}'\n",
};

/** Deliveries of the shop, and of hook.secret: one that fits and one that does not. */
const PREPARE = `
	mcp-events secret > hook.secret
	mcp-events listen https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN --port 8787 -n 2 > /dev/null || exit 1
	mcp-events listen --secret-file hook.secret --ready-file ready --port 8787 -n 1 > received & listener=$!
	until [ -s ready ]; do sleep 0.1; done
	url=$(jq -r ".subscriptions[0].url" ready)
	mcp-events send --to "$url" --secret-file hook.secret --event test.made --corrupt signature
	mcp-events send --to "$url" --secret-file hook.secret --event test.made --data '{"total":1}' || exit 1
	wait $listener || exit 1
	mcp-events captures list --verdict valid | tail -1 > deliveries.ndjson
	mcp-events captures export - --as raw < deliveries.ndjson > request.txt
	sqlite3 app.db 'create table orders(id integer primary key, created_at text)'
	mcp-events captures list --event orders.created --verdict valid | head -1 | jq -r .id > capture.id`;

describe("the examples", () => {
	test("each have a row that says what they do, and no row is of another", () => {
		expect([...Object.keys(EXAMPLES), ...Object.keys(NOT_RUN)].sort()).toEqual(
			examples.toSorted(),
		);
	});
});

describe.skipIf(!PROGRAMS.every(hasProgram))(
	`run (skipped without ${PROGRAMS.join(", ")})`,
	() => {
		let place: ExamplePlace;
		let captureId = "";
		beforeAll(async () => {
			place = await openExamplePlace(FILES);
			const run = await place.run(place.placed(PREPARE));
			expect(run.status, run.stderr).toBe(0);
			captureId = readFileSync(join(place.folder, "capture.id"), "utf8").trim();
		}, 60_000);
		afterAll(() => place[Symbol.asyncDispose]());

		test.each(Object.entries(EXAMPLES))("%s", async (line, example) => {
			const own = example.how === "sends" ? line.replace("3000", "8787") : line;
			const typed = withFlags(
				own.replaceAll(CAPTURE_ID, captureId),
				example.also,
			);
			const script = `set -o pipefail\n${SCRIPTS[example.how](typed)}`;
			const run = await place.run(place.placed(script));
			expect(run.status, run.stderr + run.stdout).toBe(example.status ?? 0);
			const shown = example.file
				? readFileSync(join(place.folder, example.file), "utf8")
				: run.stdout;
			expect(shown, run.stderr).toMatch(example.shows);
		});
	},
);

const SCRIPTS: Record<Example["how"], (line: string) => string> = {
	// The shop counts fifths of a second.
	ends: (line) => line.replace("CURSOR", "$((($(date +%s) - 2) * 5))"),
	follows: (line) => withFlags(line, "--count 2"),
	serves: (line) => `
		: > served; ${withFlags(line.replace("--port 8931", ""), "--port 0")} 2> served & server=$!
		until url=$(grep -o 'http://[^ ]*/mcp' served); do kill -0 $server || exit 1; sleep 0.05; done
		mcp-events list "$url" --bearer-env MY_TOKEN; listed=$?
		kill -INT $server; wait $server; [ $? = 130 ] && exit $listed`,
	receives: (line) => `
		rm -f ready; ${withFlags(line, "--count 1 --ready-file ready")} & listener=$!
		until [ -s ready ]; do kill -0 $listener || exit 1; sleep 0.05; done
		mcp-events send --to "$(jq -r ".subscriptions[0].url" ready)" --secret-file hook.secret --event test.made --data '{}' > sent
		wait $listener`,
	sends: (line) => `
		rm -f ready; mcp-events listen --port 8787 --path /hook --secret-file hook.secret --ready-file ready & listener=$!
		until [ -s ready ]; do kill -0 $listener || exit 1; sleep 0.05; done
		${line}; sent=$?; kill -INT $listener; wait $listener; exit $sent`,
};

/** The line with flags at the end of its last command of ours that takes them. */
function withFlags(line: string, flags = ""): string {
	const end = line.search(/ -- | \| jq| >> /);
	return end === -1
		? `${line} ${flags}`
		: `${line.slice(0, end)} ${flags}${line.slice(end)}`;
}
