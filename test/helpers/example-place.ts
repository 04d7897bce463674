// Where examples run as they are written: a folder with all that they take for granted, the servers that they name, and
// a shell in which `mcp-events` is the built command. Names of hosts and ports are replaced by those of this machine.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listen, readBody } from "../fixtures/servers/listen.ts";
import { openShop } from "../fixtures/servers/shop.ts";
import { freePort } from "./free-port.ts";
import { openDemo } from "./open-demo.ts";
import { BINARY } from "./run-cli.ts";
import { runShell, type ShellRun } from "./run-shell.ts";

const TOKEN = "the-token-of-the-shop";

export interface ExamplePlace extends AsyncDisposable {
	readonly folder: string;
	/** The line with the hosts and ports of this place. */
	placed(line: string): string;
	/** Runs a script of bash in the folder; the environment has what examples name. */
	run(script: string): Promise<ShellRun>;
}

/** Opens the servers; `files` are written into the folder. */
export async function openExamplePlace(
	files: Record<string, string> = {},
): Promise<ExamplePlace> {
	const folder = realpathSync(
		mkdtempSync(join(tmpdir(), "mcp-events-examples-")),
	);
	const [shop, guarded, demo] = [
		await openShop(),
		await openShop(TOKEN),
		await openDemo(),
	];
	const receiver = await listen(async (request, response) => {
		const { type, challenge } = await messageOf(await readBody(request));
		if (type === "verification") response.end(JSON.stringify({ challenge }));
		else response.writeHead(204).end();
	});
	const receiverOrigin = new URL(receiver.url).origin;
	const port = await freePort();
	for (const origin of [receiverOrigin, `http://127.0.0.1:${port}`])
		guarded.allowOrigin(origin);
	const start = `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`;
	writeFileSync(join(folder, "mcp-events"), start, { mode: 0o755 });
	for (const [name, text] of Object.entries(files))
		writeFileSync(join(folder, name), text, { mode: 0o755 });
	const servers = [shop, guarded, demo, receiver];
	return {
		folder,
		placed: (line) =>
			line
				.replaceAll(
					"https://shop.example/mcp",
					line.includes("SHOP_TOKEN") ? guarded.url : shop.url,
				)
				.replaceAll("https://app.example", receiverOrigin)
				.replaceAll("http://127.0.0.1:3000", receiverOrigin)
				.replaceAll("http://127.0.0.1:8931/mcp", demo.url)
				.replaceAll("8787", String(port)),
		run: (script) =>
			runShell(
				`cd '${folder}'; export HOME='${folder}' XDG_STATE_HOME='${folder}/state' PATH='${folder}':"$PATH"
				export SHOP_TOKEN=${TOKEN} MY_TOKEN=mine GITHUB_SECRET=s
				${script}`,
				[],
			),
		async [Symbol.asyncDispose]() {
			await Promise.all(servers.map((server) => server.close()));
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function messageOf(text: string): { type?: unknown; challenge?: unknown } {
	try {
		return JSON.parse(text);
	} catch {
		return {};
	}
}
