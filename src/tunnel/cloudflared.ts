// What cloudflared is told for a quick tunnel, and what it says back.
import { devNull } from "node:os";
import type { LineReader } from "./start.ts";

/** The words after `cloudflared` for a quick tunnel to a port of this machine. */
export function quickTunnelArgs(port: number): string[] {
	return [
		"tunnel",
		// The user's own config.yml would take over: its rules answer our host name with 404.
		"--config",
		devNull,
		// An update would restart it, under another name.
		"--no-autoupdate",
		// What we look for is told at this level.
		"--loglevel",
		"info",
		"--url",
		`http://127.0.0.1:${port}`,
	];
}

/**
 * Reads the address off cloudflared's log once the edge has registered a connection. The address alone is no sign that
 * anything arrives; and to ask DNS for it too early has the resolver remember for minutes that it does not exist.
 */
export function readQuickTunnel(): LineReader {
	let url: string | undefined;
	let isRegistered = false;
	return (line) => {
		url ??= quickUrl(line);
		isRegistered ||= REGISTERED.test(line);
		return isRegistered ? url : undefined;
	};
}

/** The second form is that of releases before 2022.7. */
const REGISTERED =
	/\bRegistered tunnel connection\b|\bConnection [\da-f-]{36} registered\b/;

function quickUrl(line: string): string | undefined {
	const found = line.matchAll(
		/https:\/\/([a-z\d-]+)\.trycloudflare\.com(?![\w.-])/g,
	);
	// Failures quote the address of the service that was asked for a tunnel.
	return [...found].find(([, name]) => name !== "api")?.[0];
}
