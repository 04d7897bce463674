// What every test of a session opens it with, and keeps of it.
import type { SessionOptions, SessionTarget } from "../../src/session/index.ts";
import type { RpcLogEntry } from "../../src/session/rpc-log.ts";
import { ENV, fixture } from "./stdio/open-child.ts";

export function sessionOptions(more: Partial<SessionOptions> = {}) {
	const notes: string[] = [];
	const logged: RpcLogEntry[] = [];
	const stderr: string[] = [];
	const options: SessionOptions = {
		timeoutMs: 5_000,
		connectTimeoutMs: 2_000,
		maxMessageBytes: 1024 * 1024,
		clientInfo: { name: "test", version: "0" },
		note: (text) => notes.push(text),
		log: { write: (entry) => logged.push(entry), close: () => {} },
		onStderrLine: (line) => stderr.push(line.toString()),
		...more,
	};
	const sent = () =>
		logged
			.filter(({ direction }) => direction === "sent")
			.map(({ message }) => JSON.parse(String(message)).method);
	return { options, notes, logged, stderr, sent };
}

export const childTarget = (
	name: string,
	...words: string[]
): SessionTarget => ({
	kind: "stdio",
	command: process.execPath,
	args: [fixture(name), ...words],
	env: ENV,
});

export const httpTarget = (url: string): SessionTarget => ({
	kind: "http",
	url: new URL(url),
	headers: [],
	env: {},
});
