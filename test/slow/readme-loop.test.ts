// The README's loop on one machine, tried as it is written: a listener in one terminal, the other lines in another.
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { BINARY } from "../helpers/run-cli.ts";
import { runShell } from "../helpers/run-shell.ts";

const README = readFileSync(
	join(import.meta.dirname, "../../README.md"),
	"utf8",
);
const section = README.split("\n## A whole loop on one machine\n")[1] ?? "";
const [first = "", second = ""] = [
	...(section.split("\n## ")[0] ?? "").matchAll(/^```sh\n(.*?)^```$/gms),
].map(([, block]) => block);

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	if (address === null || typeof address === "string")
		throw new Error("no port");
	return address.port;
}

/** Each line of the second block is followed by its status; the listener ends after both events. */
const script = (port: number) =>
	`
	mcp-events() { '${process.execPath}' '${BINARY}' "$@"; }
	export -f mcp-events
	bash -c ${quote(`${first.trimEnd()} --count 2 2> told > events`)} &
	until grep -q ready told 2>/dev/null; do sleep 0.05; done
	set -o pipefail
	${second.replaceAll(/\n/g, "\necho status $?\n")}
	wait
	cat events; cat told >&2`.replaceAll("8787", String(port));

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

describe("the README's loop on one machine", () => {
	let stdout: string;
	let stderr: string;
	beforeAll(async () => {
		const run = await runShell(script(await freePort()), []);
		[stdout, stderr] = [run.stdout, run.stderr];
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
