// The built command grades the server that we bring by every rule, in the profiles that matter: nothing is wrong, and
// what stays untried is told here, each with its reason.
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Profile, type Report, SCENARIOS } from "../../src/grade/index.ts";
import { runCli, startCli } from "../helpers/run-cli.ts";

const TLS = join(import.meta.dirname, "../fixtures/tls");
const LONGEST_MS = 240_000;
/** A machine that stands still for a moment makes a server look slow; what is wrong is wrong again. */
const HONEST = { timeout: LONGEST_MS, retry: 1 };

/** Rows that no invocation can try against our own server, and why: twelve at the most. */
const UNTRIED: Readonly<Record<Profile, Readonly<Record<string, string>>>> = {
	final: {
		"events-webhook-delivery/ssrf-validate-at-delivery-time":
			"the address of a name would have to change while the run lasts, and no grader commands the server's resolver",
		"events-webhook-delivery/payload-minimality":
			"what is enough to recognise an event is for a person to judge",
	},
	chatgpt: {
		"events-discovery/error-not-found":
			"every type is webhook alone: an unknown name cannot be asked for without leaving something behind",
		"events-discovery/error-server-range":
			"the same: no error of the extension can be had in passing",
		"events-webhook/error-unsupported":
			"every type offers webhook: no mode is missing that could be refused",
		"events-webhook-delivery/ssrf-validate-at-delivery-time": "as under final",
		"events-webhook-delivery/payload-minimality": "as under final",
	},
	sketch: {
		"events-webhook-delivery/ssrf-validate-at-delivery-time": "as under final",
		"events-webhook-delivery/payload-minimality": "as under final",
	},
};

/** Serves with all that can be tried, and grades that. */
async function gradeWhole(profile: Profile): Promise<Report> {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-whole-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const key = join(folder, "sign.pem");
	const { privateKey } = generateKeyPairSync("ed25519");
	writeFileSync(key, privateKey.export({ format: "pem", type: "pkcs8" }));
	const serving = startCli(
		[
			...["serve", "--profile", profile, "--conformance-controls"],
			...["--token", "me=abc", "--token", "other=def"],
			...["--store", join(folder, "store"), "--sign-ed25519", key],
			...["--callback-ca", join(TLS, "ca.pem")],
		],
		{ deadlineMs: LONGEST_MS },
	);
	onTestFinished(async () => {
		serving.kill("SIGTERM");
		await serving.done;
	});
	const [, url = ""] = await serving.stderr.until(/ at (http:\S+)/);
	const file = join(folder, "report.json");
	const run = await runCli(
		[
			...["check", "server", url, "--profile", profile],
			...["--header", "Authorization: Bearer abc"],
			...["--second-principal-header", "Authorization: Bearer def"],
			...["--tls-cert", join(TLS, "localhost.pem")],
			...["--tls-key", join(TLS, "localhost.key")],
			...["--state", join(folder, "state"), "--report", `json=${file}`],
		],
		{ stdoutForm: "text", deadlineMs: LONGEST_MS },
	);
	expect(run.status, run.stdout).toBe(0);
	return JSON.parse(readFileSync(file, "utf8"));
}

const keysOf = ({ rows }: Report, ...verdicts: string[]) =>
	rows
		.filter(({ verdict }) => verdicts.includes(verdict))
		.map(({ scenario, id }) => `${scenario}/${id.replace("sep-3415-", "")}`);

describe("the server that we bring, with its controls, graded whole", () => {
	// One after the other: each of them needs the machine.
	it.each(Object.keys(UNTRIED) as Profile[])(
		"by the profile %s: nothing fails, nothing warns, and only what is listed stays untried",
		HONEST,
		async (profile) => {
			const report = await gradeWhole(profile);
			const told = report.rows
				.filter(({ verdict }) => verdict !== "SUCCESS" && verdict !== "SKIPPED")
				.map(({ verdict, id, message }) => `${verdict} ${id}: ${message}`);
			const known = Object.keys(UNTRIED[profile]);
			expect(keysOf(report, "FAILURE", "WARNING"), told.join("\n")).toEqual([]);
			expect(keysOf(report, "UNTESTABLE").sort()).toEqual(known.sort());
			expect(report.isComplete).toBe(true);
			expect(report.scenarios).toEqual(SCENARIOS);
			if (profile === "chatgpt")
				expect(report.readiness).toMatchObject({
					verdict: "ready",
					reasons: [],
				});
		},
	);

	it("leaves twelve rows at the most to be taken on trust", () => {
		for (const rows of Object.values(UNTRIED))
			expect(Object.keys(rows).length).toBeLessThanOrEqual(12);
	});
});
