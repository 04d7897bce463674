// The built command against the server that we bring, as processes, with callbacks over a public https address: that of a
// reverse proxy, and those of tunnels. What is found is what is found without one.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { GradedRow } from "../../src/grade/index.ts";
import { isAlive, openFakeRuns } from "../helpers/fake-cloudflared.ts";
import { freePort } from "../helpers/free-port.ts";
import {
	canFront,
	FRONT_BLOCK,
	FRONT_HOST,
	type Front,
	openFront,
} from "../helpers/open-front.ts";
import { openNameServer } from "../helpers/open-name-server.ts";
import { runCli, startCli } from "../helpers/run-cli.ts";
import { nameOf } from "./tunnel-runs.ts";

const TLS = join(import.meta.dirname, "../fixtures/tls");
const LONGEST_MS = 120_000;
const NAME = "hooks.test";

/** Without an address of its own, the document has no https and the name that is asked for can be seen. */
const UNTRIED = [
	"payload-minimality UNTESTABLE",
	"server-identity-key-discovery SKIPPED",
	"ssrf-connects-checked-address UNTESTABLE",
	"ssrf-validate-at-delivery-time UNTESTABLE",
];

const GOOD = { status: 0, left: UNTRIED, isCompared: true };

function newFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "check-callbacks-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Serves with every guard in place, but for the block of the front. */
async function serve(folder: string, { caPem }: Front, name: string) {
	const names = await openNameServer({ [name]: [FRONT_HOST] });
	const ca = join(folder, "ca.pem");
	writeFileSync(ca, caPem);
	return await serveWith([
		...["--store", join(folder, "store.jsonl"), "--callback-ca", ca],
		...["--resolver", `${names.host}:${names.port}`],
		...["--allow-private-callbacks", FRONT_BLOCK],
	]);
}

async function serveWith(words: readonly string[] = []): Promise<string> {
	const run = startCli(
		["serve", "--conformance-controls", "--token", "me=abc", ...words],
		{ deadlineMs: LONGEST_MS },
	);
	onTestFinished(async () => {
		run.kill("SIGTERM");
		await run.done;
	});
	const [, url = ""] = await run.stderr.until(/serving demo at (http:\S+)/);
	return url;
}

/** Grades what is about callbacks: the status, every row that is no success, and whether webhook was compared. */
async function grade(
	url: string,
	folder: string,
	words: readonly string[],
	env: Record<string, string> = {},
) {
	const file = join(folder, "report.json");
	const { status, stderr } = await runCli(
		[
			...["check", "server", url, "--bearer-env", "TOKEN"],
			...["--scenario", "events-webhook"],
			...["--scenario", "events-webhook-delivery", "--modes-agree"],
			...["--state", folder, "--report", `json=${file}`, ...words],
		],
		{
			stdoutForm: "text",
			deadlineMs: LONGEST_MS,
			env: { ...env, TOKEN: "abc" },
		},
	);
	const rows: GradedRow[] = JSON.parse(readFileSync(file, "utf8")).rows;
	return {
		status,
		stderr,
		rows,
		left: rows
			.filter(({ verdict }) => verdict !== "SUCCESS")
			.map(({ id, verdict }) => `${id.replace("sep-3415-", "")} ${verdict}`)
			.sort(),
		isCompared: rows.some(({ message }) =>
			message.includes("by poll, push and webhook"),
		),
	};
}

const here = await canFront(0);
const onUsualPort = await canFront(443);

it.skipIf(!here)(
	`through a reverse proxy to --port (needs ${FRONT_HOST})`,
	async () => {
		const folder = newFolder();
		const port = await freePort();
		const front = await openFront(NAME, () => `http://127.0.0.1:${port}`);
		const url = await serve(folder, front, NAME);
		const found = await grade(url, folder, [
			...["--public-url", `https://${NAME}:${front.port}/`],
			...["--port", String(port)],
		]);
		expect(found).toMatchObject(GOOD);
		expect(front.count).toBeGreaterThan(100);
	},
	LONGEST_MS,
);

it.skipIf(!here)(
	`through one that adds a path, and speaks TLS to us as well (needs ${FRONT_HOST})`,
	async () => {
		const folder = newFolder();
		const port = await freePort();
		const front = await openFront(NAME, () => `https://127.0.0.1:${port}`);
		const url = await serve(folder, front, NAME);
		const found = await grade(url, folder, [
			...["--public-url", `https://${NAME}:${front.port}/some/place`],
			...["--port", String(port)],
			...["--tls-cert", join(TLS, "localhost.pem")],
			...["--tls-key", join(TLS, "localhost.key")],
		]);
		expect(found).toMatchObject(GOOD);
	},
	LONGEST_MS,
);

it.skipIf(!here)(
	`through the tunnel of a command (needs ${FRONT_HOST})`,
	async () => {
		const folder = newFolder();
		const told = join(folder, "port");
		const front = await openFront(
			NAME,
			() => `http://127.0.0.1:${readFileSync(told, "utf8")}`,
		);
		const url = await serve(folder, front, NAME);
		const program = join(folder, "tunnel.mjs");
		writeFileSync(
			program,
			`import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(told)}, process.argv[2]);
console.log("forwarding https://${NAME}:${front.port} to here");
setInterval(() => {}, 1_000);`,
		);
		const found = await grade(url, folder, [
			...["--tunnel", `${process.execPath} ${program} {port}`],
		]);
		expect(found).toMatchObject(GOOD);
	},
	LONGEST_MS,
);

it.skipIf(!onUsualPort)(
	`through a quick tunnel, which is gone at the end (needs port 443 of ${FRONT_HOST})`,
	async () => {
		const folder = newFolder();
		const runs = openFakeRuns("ok");
		onTestFinished(runs.remove);
		const name = new URL(nameOf(1)).hostname;
		const front = await openFront(name, () => runs.reach(nameOf(1)), 443);
		const url = await serve(folder, front, name);
		const found = await grade(url, folder, ["--tunnel"], runs.env);
		expect(found).toMatchObject(GOOD);
		expect(runs.count()).toBe(1);
		expect(isAlive((await runs.run(1)).pid)).toBe(false);
	},
	LONGEST_MS,
);

it.each([
	["that does not come up", "refused", /the tunnel is not up/],
	["that moves on the way", "dies,ok", /leads here from another address now/],
])(
	"a tunnel %s ends the run, and no rule is said to be broken",
	async (_what, modes, told) => {
		const runs = openFakeRuns(modes);
		onTestFinished(runs.remove);
		const url = await serveWith();
		const words = ["--tunnel"];
		const found = await grade(url, newFolder(), words, runs.env);
		expect(found.status).toBe(3);
		expect(found.stderr).toMatch(told);
		const untried = found.rows.filter(({ message }) => told.test(message));
		expect(untried.length).toBeGreaterThan(0);
		expect(untried[0]?.message).not.toContain("correction of this program");
		expect(found.rows.some(({ verdict }) => verdict === "FAILURE")).toBe(false);
	},
	LONGEST_MS,
);
