// Debian's `webhook`, for the bench of the receiver.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Runs a no-op command for each delivery whose body is signed with the secret. Resolves once it listens. */
export async function startWebhook(place, secret) {
	mkdirSync(place);
	const signature = { source: "header", name: "X-Hub-Signature-256" };
	const match = {
		type: "payload-hmac-sha256",
		secret,
		parameter: signature,
	};
	const hooks = [
		{
			id: "deliveries",
			"execute-command": "/bin/true",
			"trigger-rule": { match },
			"trigger-rule-mismatch-http-response-code": 401,
		},
	];
	writeFileSync(join(place, "hooks.json"), JSON.stringify(hooks));
	const port = await freePort();
	const flags = ["-ip", "127.0.0.1", "-port", String(port)];
	const child = spawn("webhook", [...flags, "-hooks", `${place}/hooks.json`], {
		stdio: "ignore",
	});
	process.once("exit", () => child.kill());
	while (!(await isOpen(port))) {
		if (child.exitCode !== null) throw new Error("webhook did not start");
		await sleep(20);
	}
	return { child, url: `http://127.0.0.1:${port}` };
}

function freePort() {
	return new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address();
			server.close(() => resolve(port));
		});
	});
}

function isOpen(port) {
	return new Promise((resolve) => {
		const socket = connect(port, "127.0.0.1", () => {
			socket.destroy();
			resolve(true);
		}).on("error", () => resolve(false));
	});
}
