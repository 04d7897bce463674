// Opens the stdio transport on a fixture, and keeps what it tells.
import { fileURLToPath } from "node:url";
import { openStdioTransport } from "../../../src/session/stdio/open-stdio-transport.ts";
import type { RpcTraceEntry } from "../../../src/session/transport.ts";

export const fixture = (name: string) =>
	fileURLToPath(new URL(`../../fixtures/servers/${name}`, import.meta.url));

/** The environment of the tests, less nothing: the fixtures only need PATH. */
export const ENV = { PATH: process.env.PATH };

export const openChild = (
	name: string,
	{ words = [], ...more }: { words?: string[]; maxMessageBytes?: number } = {},
) => openCommand(process.execPath, [fixture(name), ...words], more);

export async function openCommand(
	command: string,
	args: string[],
	{ maxMessageBytes = 1024 * 1024 }: { maxMessageBytes?: number } = {},
) {
	const notes: string[] = [];
	const stderr: string[] = [];
	const traced: RpcTraceEntry[] = [];
	const lastActs = new Set<() => void>();
	let onStderr: (() => void) | undefined;
	const transport = await openStdioTransport(
		{ command, args, env: ENV },
		{
			maxMessageBytes,
			note: (text) => notes.push(text),
			trace: (entry) => traced.push(entry),
			onStderrLine(line) {
				stderr.push(line.toString("utf8"));
				onStderr?.();
			},
			atExit(act) {
				lastActs.add(act);
				return () => lastActs.delete(act);
			},
		},
	);
	/** Resolves to the first line of stderr that matches. */
	const stderrLine = async (pattern: RegExp): Promise<string> => {
		for (;;) {
			const line = stderr.find((text) => pattern.test(text));
			if (line !== undefined) return line;
			await new Promise<void>((resolve) => {
				onStderr = resolve;
			});
		}
	};
	return { transport, notes, stderr, stderrLine, traced, lastActs };
}

type Child = Awaited<ReturnType<typeof openCommand>>;

/** All messages of one exchange. */
export async function exchangeAll(
	{ transport }: Pick<Child, "transport">,
	request: {
		id?: string | number;
		method?: string;
		params?: Record<string, unknown>;
	} = {},
	options: { timeoutMs?: number; signal?: AbortSignal } = {},
) {
	const { id = "a", method = "say", params = {} } = request;
	const all = [];
	for await (const batch of transport.exchange(
		{ id, method, params, headers: {} },
		options,
	))
		all.push(...batch);
	return all;
}

/** What the child has heard so far. */
export async function askHeard(child: Pick<Child, "transport">) {
	const [message] = await exchangeAll(child, { id: "heard", method: "heard" });
	if (message?.kind !== "result") throw new Error("no result");
	return message.result.heard as Record<string, unknown>[];
}

/** One line as a server writes it. */
export const line = (message: Record<string, unknown>) =>
	`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
