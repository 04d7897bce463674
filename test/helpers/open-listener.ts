// A listener without a server, as a process, that takes what the standardwebhooks package signs with a known secret.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { HeaderPair } from "../../src/protocol/index.ts";
import { SECRET_TEXT, signedHeaders } from "../fixtures/deliveries.ts";
import { type CliProcess, startCli } from "./run-cli.ts";

export interface Listener {
	readonly run: CliProcess;
	/** Where it receives. */
	readonly url: string;
	/** Its state folder, and a place for the test's own files. */
	readonly folder: string;
	/** Sends a body, signed as of now unless `secretText` says otherwise; returns the status. */
	send(
		body: string,
		sending?: { id?: string; secretText?: string },
	): Promise<number>;
	/** Stops it as ^C would. */
	stop(): Promise<Awaited<CliProcess["done"]>>;
}

/** An event with spaces, digits and escapes that any rewriting of the JSON would change. */
export const eventText = (eventId: string, name = "orders.created") =>
	`{"eventId":"${eventId}", "name":"${name}","timestamp":"2026-01-01T00:00:00Z","data":{"total":1.50,"caf\\u00e9":"é","id":12345678901234567890}}`;

/** Starts it with more flags, and waits until it receives. It ends with the test. */
export async function openListener(
	flags: readonly string[],
	options: Parameters<typeof startCli>[1] = {},
): Promise<Listener> {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-listener-"));
	const secretFile = join(folder, "hook.secret");
	writeFileSync(secretFile, `${SECRET_TEXT}\n`);
	const own = ["--path", "/in", "--secret-file", secretFile, "--state", folder];
	const run = startCli(["listen", ...own, ...flags], options);
	onTestFinished(async () => {
		run.kill("SIGKILL");
		await run.done.catch(() => {});
		rmSync(folder, { recursive: true, force: true });
	});
	const origin = await run.stderr.until(/receives at (\S+)/);
	const url = `${origin[1]}/in`;
	await untilReceiving(url);
	return {
		run,
		url,
		folder,
		async send(body, { id = "msg_1", secretText = SECRET_TEXT } = {}) {
			const sending = { body, id, secretText, signedMs: Date.now() };
			const headers = signedHeaders({ ...sending, subscriptionId: "sub_1" });
			return post(url, headers, body);
		},
		stop() {
			run.kill("SIGTERM");
			return run.done;
		},
	};
}

/** POSTs bytes; returns the status. */
export async function post(
	url: string,
	headers: readonly HeaderPair[],
	body: string,
): Promise<number> {
	const init = { headers: Object.fromEntries(headers), body };
	const response = await fetch(url, { method: "POST", ...init });
	await response.arrayBuffer();
	return response.status;
}

/** It listens a moment before it knows its paths. */
async function untilReceiving(url: string): Promise<void> {
	for (;;) {
		const { status } = await fetch(url);
		if (status === 405) return;
	}
}
