// The file of one claim: seen whole or not at all, with the event in it, so that it can be kept whatever becomes of it.
import { isUtf8 } from "node:buffer";
import {
	closeSync,
	linkSync,
	openSync,
	readFileSync,
	unlinkSync,
	writeSync,
} from "node:fs";
import { link, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { isRecord } from "../protocol/index.ts";
import { syncFolder, writeDurably } from "./durable-file.ts";

/** An event that a command is to be run for. */
export interface Claim {
	id: string;
	subscription: string;
	/** How it came: `poll`, `push` or `webhook`. */
	via: string;
	name: string;
	/** The event on one line. */
	line: Buffer;
	/** The id under which it lies in the captures; undefined: it lies nowhere yet. */
	capture: string | undefined;
	/** When it came, in epoch milliseconds. */
	at: number;
}

/**
 * `waiting`: no command was started for it. `running`: one was, and nothing is known of its end. `failed`: one has
 * failed, and it is to be run again.
 */
export type ClaimState = "waiting" | "running" | "failed";

/** As it stands on disk. */
export interface KeptClaim extends Claim {
	state: ClaimState;
	/** Orders those of one millisecond. */
	order: number;
	pid: number;
	host: string;
}

const PRIVATE = 0o600;

/** Writes a new one, without waiting for the disk. False where there is one already. */
export function linkClaimSync(
	path: string,
	claim: KeptClaim,
	unique: string,
): boolean {
	const draft = `${path}.${unique}.tmp`;
	const file = openSync(draft, "wx", PRIVATE);
	try {
		writeSync(file, textOf(claim));
		linkSync(draft, path);
		return true;
	} catch (cause) {
		if (isTaken(cause)) return false;
		throw cause;
	} finally {
		closeSync(file);
		unlinkSync(draft);
	}
}

/** Writes a new one; durable when it resolves. False where there is one already. */
export async function linkClaim(
	path: string,
	claim: KeptClaim,
	unique: string,
): Promise<boolean> {
	const draft = await writeDraft(path, claim, unique);
	try {
		await link(draft, path);
	} catch (cause) {
		if (isTaken(cause)) return false;
		throw cause;
	} finally {
		await unlink(draft).catch(() => {});
	}
	await syncFolder(dirname(path));
	return true;
}

/** Replaces one; durable when it resolves. */
export async function replaceClaim(
	path: string,
	claim: KeptClaim,
	unique: string,
): Promise<void> {
	const draft = await writeDraft(path, claim, unique);
	try {
		await rename(draft, path);
	} catch (cause) {
		await unlink(draft).catch(() => {});
		throw cause;
	}
	await syncFolder(dirname(path));
}

/** undefined where there is none, or where it cannot be read as one. */
export function readClaim(path: string): KeptClaim | undefined {
	try {
		return parseClaim(JSON.parse(readFileSync(path, "utf8")));
	} catch {
		return undefined;
	}
}

async function writeDraft(path: string, claim: KeptClaim, unique: string) {
	const draft = `${path}.${unique}.tmp`;
	try {
		await writeDurably(draft, textOf(claim));
	} catch (cause) {
		await unlink(draft).catch(() => {});
		throw cause;
	}
	return draft;
}

const isTaken = (cause: unknown) =>
	cause instanceof Error && "code" in cause && cause.code === "EEXIST";

function textOf({ line, ...facts }: KeptClaim): string {
	const content = isUtf8(line)
		? { line: line.toString("utf8") }
		: { lineBase64: line.toString("base64") };
	return `${JSON.stringify({ ...facts, ...content })}\n`;
}

function parseClaim(value: unknown): KeptClaim | undefined {
	if (!isRecord(value)) return undefined;
	const { id, subscription, via, name, host, pid, at, order, state } = value;
	const texts = [id, subscription, via, name, host];
	if (!texts.every((text) => typeof text === "string")) return undefined;
	if (![pid, at, order].every((n) => typeof n === "number")) return undefined;
	if (state !== "waiting" && state !== "running" && state !== "failed")
		return undefined;
	const { line, lineBase64, capture } = value;
	return {
		id: String(id),
		subscription: String(subscription),
		via: String(via),
		name: String(name),
		line:
			typeof line === "string"
				? Buffer.from(line, "utf8")
				: Buffer.from(String(lineBase64 ?? ""), "base64"),
		capture: typeof capture === "string" ? capture : undefined,
		at: Number(at),
		order: Number(order),
		state,
		pid: Number(pid),
		host: String(host),
	};
}
