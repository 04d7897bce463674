// The log of --log-rpc: every message both ways, one JSON line each, with what is secret in it masked.
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from "node:fs";
import { createMask, Fault } from "../faults/index.ts";
import { isRecord, oneLine } from "../protocol/index.ts";
import type { RpcTraceEntry } from "./transport.ts";

const MASK = "***";
const SECRET = /whsec_[A-Za-z0-9+/=_-]*/g;
/** Where none of these stands in the text, no secret of a webhook can: an escape may spell one. */
const MAY_HOLD_SECRET = /whsec_|\\u|"secret"/;

export type RpcLogEntry = RpcTraceEntry & { transport: "http" | "stdio" };

/** Held open until closed. */
export interface RpcLog {
	/** Appends one line, at once. Throws `file-failed` the first time it cannot; after that it does nothing. */
	write(entry: RpcLogEntry): void;
	/** Never throws. */
	close(): void;
}

export interface RpcLogOptions {
	now(): number;
	/** Credentials that we send: a server may repeat them anywhere in its answers. */
	secrets?: readonly string[];
}

/** Opens the file for appending, readable by its owner alone. Throws `file-failed`. */
export function openRpcLog(
	path: string,
	{ now, secrets = [] }: RpcLogOptions,
): RpcLog {
	let fd: number | undefined = openLog(path);
	const mask = createMask(secrets);
	const close = () => {
		if (fd === undefined) return;
		const open = fd;
		fd = undefined;
		try {
			closeSync(open);
		} catch {
			// Every line was written at once; there is nothing left to lose.
		}
	};
	return {
		write(entry) {
			if (fd === undefined) return;
			const line = maskLine(logLine(entry, entry.at ?? now()), mask);
			try {
				writeAll(fd, line);
			} catch (cause) {
				close();
				throw logFault(path, "written", cause);
			}
		},
		close,
	};
}

function openLog(path: string): number {
	try {
		const fd = openSync(path, "a", 0o600);
		// A file that was there before may be open to others. Devices and pipes are not ours to change.
		if (fstatSync(fd).isFile()) fchmodSync(fd, 0o600);
		return fd;
	} catch (cause) {
		throw logFault(path, "opened", cause);
	}
}

function writeAll(fd: number, bytes: Buffer): void {
	for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function logFault(path: string, done: string, cause: unknown): Fault {
	return new Fault("file-failed", {
		what: `the log of messages could not be ${done}: ${path}`,
		why: cause instanceof Error ? cause.message : String(cause),
		next: "name another file: --log-rpc FILE",
		cause,
	});
}

function logLine(entry: RpcLogEntry, atMs: number): Buffer {
	const { direction, transport, headers, message } = entry;
	const head = JSON.stringify({
		at: new Date(atMs).toISOString(),
		direction,
		transport,
		...(headers && { headers }),
	});
	const bytes = Buffer.isBuffer(message) ? message : Buffer.from(message);
	return Buffer.concat([
		Buffer.from(`${head.slice(0, -1)},"message":`),
		embed(bytes),
		Buffer.from("}\n"),
	]);
}

function maskLine(line: Buffer, mask: (text: string) => string): Buffer {
	const text = line.toString("utf8");
	const masked = mask(text);
	return masked === text ? line : Buffer.from(masked);
}

/** The message as the JSON that it is, in its own words where nothing must be hidden; else as a string. */
function embed(bytes: Buffer): Buffer {
	const text = bytes.toString("utf8");
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return Buffer.from(JSON.stringify(text.replace(SECRET, MASK)));
	}
	if (!MAY_HOLD_SECRET.test(text))
		return oneLine(bytes, { start: 0, end: bytes.length });
	return Buffer.from(JSON.stringify(maskDelivery(value)).replace(SECRET, MASK));
}

/** The secret of a subscription, whatever its form: a wrong one is as telling as a right one. */
function maskDelivery(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(maskDelivery);
	if (!isRecord(value) || !isRecord(value.params)) return value;
	const { delivery } = value.params;
	if (!isRecord(delivery) || delivery.secret === undefined) return value;
	const masked = { ...delivery, secret: MASK };
	return { ...value, params: { ...value.params, delivery: masked } };
}
