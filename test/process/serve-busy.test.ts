// A server that has no time for a moment turns nobody away.
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startCli } from "../helpers/run-cli.ts";

const CLIENTS = 1_000;

/** How many the system lets wait, whatever a program asks for; undefined where it does not say. */
function mostThatMayWait(): number | undefined {
	try {
		return Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8"));
	} catch {
		return undefined;
	}
}

const canWait = (mostThatMayWait() ?? 0) > CLIENTS;

it.skipIf(!canWait)(
	`lets ${CLIENTS} connections wait while it is busy (skipped where the system does not say that so many may)`,
	async () => {
		const run = startCli(["serve"]);
		onTestFinished(() => void run.kill("SIGKILL"));
		const [, port] = await run.stderr.until(/ at http:\S+:(\d+)\//);
		// It does nothing at all; the system takes the connections for it.
		run.kill("SIGSTOP");
		const sockets = Array.from({ length: CLIENTS }, () =>
			connect(Number(port), "127.0.0.1"),
		);
		let connected = 0;
		for (const socket of sockets)
			socket.on("connect", () => connected++).on("error", () => {});
		await expect.poll(() => connected, { timeout: 5_000 }).toBe(CLIENTS);
		for (const socket of sockets) socket.destroy();
		run.kill("SIGCONT");
		run.kill("SIGTERM");
		expect((await run.done).status).toBe(143);
	},
);
