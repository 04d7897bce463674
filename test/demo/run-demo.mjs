// The demo: our own server as a process of its own, followed by stream and by poll through the built command, over a
// real socket. Events on stdout, everything else on stderr; ends with status 0 in seconds.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const bin = join(import.meta.dirname, "../../bin/mcp-events.js");

function start(words, stdio) {
	process.stderr.write(`\n$ mcp-events ${words.join(" ")}\n`);
	return spawn(process.execPath, [bin, ...words], { stdio });
}

/** Runs a command to its end with our own stdout and stderr. */
async function run(words) {
	const child = start(words, ["ignore", "inherit", "inherit"]);
	const [status] = await once(child, "exit");
	if (status !== 0)
		throw new Error(`mcp-events ${words[0]} ended with status ${status}`);
}

/** The URL that `serve` tells on stderr once it listens. */
async function urlOf(server) {
	for await (const line of createInterface({ input: server.stderr })) {
		process.stderr.write(`${line}\n`);
		const url = /http:\/\/\S+/.exec(line);
		if (url) return url[0];
	}
	throw new Error("mcp-events serve ended before it listened");
}

const server = start(["serve", "--port", "0"], ["ignore", "ignore", "pipe"]);
try {
	const url = await urlOf(server);
	server.stderr.pipe(process.stderr);
	const tick = ["-a", "periodMs=200"];
	await run(["stream", url, "clock.tick", ...tick, "--count", "3"]);
	await run([
		...["poll", url, "clock.tick", ...tick, "--count", "3"],
		...["--interval-floor", "200ms"],
	]);
} finally {
	server.kill("SIGTERM");
}
