// serve and listen on one machine, as two processes that speak TLS to each other in both directions.
import {
	appendFileSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "../helpers/free-port.ts";
import { type CliProcess, startCli } from "../helpers/run-cli.ts";
import type { Json } from "../reference/wire-client.ts";

const TLS = join(import.meta.dirname, "../fixtures/tls");
export const FIXTURE_CA = join(TLS, "ca.pem");
const IDENTITY = [
	...["--tls-cert", join(TLS, "localhost.pem")],
	...["--tls-key", join(TLS, "localhost.key")],
];
const PRIVATE = ["--allow-private-callbacks", "127.0.0.0/8"];
const env = { LOOP_TOKEN: "a-token-of-ann" };

/** A line of JSON for each that is whole. */
const jsonLines = (text: string): Json[] =>
	text
		.split("\n")
		.slice(0, -1)
		.map((line) => JSON.parse(line));

/** What a listener has told so far. */
export const recordsOf = ({ stdout }: CliProcess): Json[] =>
	jsonLines(stdout.text);

export const ofKind = (run: CliProcess, kind: string): Json[] =>
	recordsOf(run).filter((record) => record.kind === kind);

/** The lines of the followed file that a listener has shown. */
export const linesOf = (run: CliProcess): string[] =>
	ofKind(run, "event").map(({ event }) => event.data.line);

export interface Loop {
	/** Where the server is, at every start. */
	readonly url: string;
	readonly log: string;
	/** Everything of this loop lies there. */
	readonly folder: string;
	/** Starts another command, which knows the token as LOOP_TOKEN. */
	start(words: string[]): CliProcess;
	/** Starts the server, and waits until it listens. By default it follows `log`. */
	serve(words?: string[], ca?: string): Promise<CliProcess>;
	/** Starts a listener for the lines, and waits until it is subscribed. */
	listen(words?: string[]): Promise<CliProcess>;
	append(lines: string): void;
	/** The lines of the server's store: those of one kind. */
	stored(kind: string): Json[];
	/** What the listener has captured. */
	captured(): Json[];
}

/** A folder of its own, in which all of it lies. All that is started ends with the test. */
export async function openLoop(): Promise<Loop> {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-loop-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const [log, store] = [join(folder, "app.log"), join(folder, "loop.store")];
	const captures = join(folder, "captures");
	writeFileSync(log, "");
	const port = await freePort();
	const url = `https://127.0.0.1:${port}/mcp`;
	const start = (words: string[]) => {
		const run = startCli(words, { env, deadlineMs: 60_000 });
		onTestFinished(() => void run.kill("SIGKILL"));
		return run;
	};
	return {
		url,
		log,
		folder,
		start,
		async serve(words = ["file", log], ca = FIXTURE_CA) {
			const access = ["--token", "ann=env:LOOP_TOKEN", "--store", store];
			const callbacks = ["--callback-ca", ca, ...PRIVATE];
			const place = ["--port", String(port), ...IDENTITY];
			const run = start(["serve", ...words, ...place, ...access, ...callbacks]);
			await run.stderr.until(/ at https:/);
			return run;
		},
		async listen(words = []) {
			const server = [url, "file.line", "--ca", FIXTURE_CA];
			const access = ["--bearer-env", "LOOP_TOKEN", ...IDENTITY];
			const place = ["--state", folder, "--captures", captures];
			const all = [...server, ...access, ...place, "-o", "records", ...words];
			const run = start(["listen", ...all]);
			await run.stdout.until(/"kind":"ready"/);
			return run;
		},
		append: (lines) => appendFileSync(log, lines),
		stored: (kind) =>
			jsonLines(readFileSync(store, "utf8")).filter((one) => one.kind === kind),
		captured: () =>
			readdirSync(captures)
				.filter((name) => name.endsWith(".ndjson"))
				.flatMap((name) =>
					jsonLines(readFileSync(join(captures, name), "utf8")),
				),
	};
}
