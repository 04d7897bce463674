// The README's loops on one machine, tried as they are written: a listener in one terminal, a server in another, the
// other lines in a third.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../helpers/free-port.ts";
import { BINARY } from "../helpers/run-cli.ts";
import { hasProgram, runShell } from "../helpers/run-shell.ts";

const README = readFileSync(
	join(import.meta.dirname, "../../README.md"),
	"utf8",
);
const section = README.split("\n## A whole loop on one machine\n")[1] ?? "";
const blocks = [
	...(section.split("\n## ")[0] ?? "").matchAll(/^```sh\n(.*?)^```$/gms),
].map(([, block = ""]) => block.trimEnd());
const [first = "", second = "", start = "", listen = "", lines = ""] = blocks;

const MCP_EVENTS = `mcp-events() { '${process.execPath}' '${BINARY}' "$@"; }
	export -f mcp-events`;
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Each line of the second block is followed by its status; the listener ends after both events. */
const senderScript = `
	${MCP_EVENTS}
	bash -c ${quote(`${first} --count 2 2> told > events`)} &
	until grep -q ready told 2>/dev/null; do sleep 0.05; done
	set -o pipefail
	${second.replaceAll(/$/gm, "\necho status $?\n")}
	wait
	cat events; cat told >&2`;

/** The server is killed between the first event and the second; at last another takes its place. */
function serverScript(): string {
	const [certificate = "", token = "", serve = ""] = start.split("\n");
	const [event = "", cut = "", verify = ""] = lines.split("\n");
	// The pid of a job is then that of the program.
	const inPlace = (line: string) => line.replace("mcp-events", "exec mcp");
	const until = (pattern: string, file: string) =>
		`until grep -q '${pattern}' ${file} 2>/dev/null; do sleep 0.05; done`;
	const served = (line: string) =>
		`: > served; (${inPlace(line)}) 2> served & server=$!; ${until(" at http", "served")}`;
	return `
	mkdir bin; printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' '${process.execPath}' '${BINARY}' > bin/mcp
	chmod +x bin/mcp; PATH="$PWD/bin:$PATH"
	${MCP_EVENTS}
	${certificate}
	${token}
	${served(serve)}
	(${inPlace(listen)}) > events 2> told & listener=$!; ${until("ready", "told")}
	${event}; ${until("A-1", "events")}
	kill -9 $server; echo 'order B-1, while nobody served' >> app.log
	${served(serve)}; ${until("B-1", "events")}
	${cut}; ${until("A-2", "events")}
	set -o pipefail; ${verify} > verified; echo status $?
	kill $server; wait $server
	${served(serve.replace("file app.log", "demo"))}
	wait $listener; kill $server
	cat events; cat told >&2`;
}

/** As it is written, but for the ports. */
async function run(script: string) {
	const [at, hook] = [await freePort(), await freePort()];
	return await runShell(
		script.replaceAll("8931", String(at)).replaceAll("8787", String(hook)),
		[],
	);
}

describe("the README's loop with a sender", () => {
	let stdout: string;
	let stderr: string;
	beforeAll(async () => {
		({ stdout, stderr } = await run(senderScript));
	}, 60_000);

	test("has lines that end as the README says", () => {
		const statuses = [...stdout.matchAll(/^status (\d+)$/gm)].map(([, n]) => n);
		expect(statuses, stderr).toEqual(["0", "1", "0", "1", "0"]);
	});

	test("is told of the delivery that was changed, and why it did not fit", () => {
		expect(stderr).toContain("rejected a delivery (401 no-match)");
		expect(stdout).toContain("signed without the white space around the body");
	});

	test("shows the event, and once more the one that was sent again", () => {
		const events = stdout.trimEnd().split("\n").slice(-2);
		const [one, other] = events.map((line) => JSON.parse(line));
		expect(one.data).toEqual({ order: "A-1" });
		expect(other.data).toEqual(one.data);
		expect(other.eventId).not.toBe(one.eventId);
	});
});

describe.skipIf(!hasProgram("openssl"))(
	"the README's loop with a server, over TLS (skipped without openssl)",
	() => {
		let stdout: string;
		let stderr: string;
		beforeAll(async () => {
			({ stdout, stderr } = await run(serverScript()));
		}, 60_000);

		test("shows each line once, the one that came while the server was dead too", () => {
			const events = stdout.split("\n").filter((line) => line.startsWith("{"));
			expect(
				events.map((line) => JSON.parse(line).data.line),
				stderr,
			).toEqual([
				"order A-1, paid",
				"order B-1, while nobody served",
				"order A-2",
			]);
		});

		test("finds every delivery well signed", () => {
			expect(stdout, stderr).toMatch(/^status 0$/m);
		});

		test("tells of the verification, what may be missing where the file was cut, and that its event is gone", () => {
			expect(stderr).toContain("answered the server's verification");
			expect(stderr).toContain("events may be missing here");
			expect(stderr).toMatch(
				/ended the subscription: NotFound .* no event type file\.line/,
			);
			expect(stderr).not.toContain("rejected");
		});
	},
);
