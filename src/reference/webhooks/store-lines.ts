// The lines of a store's file: one JSON object each, read with suspicion, for disks and people damage files.
import { isRecord } from "../../protocol/index.ts";
import { parseSecret } from "../../signing/index.ts";
import type { Verification } from "../callbacks/index.ts";
import { idOf } from "./key.ts";
import type { FormerSecret, SubscriptionRecord } from "./record.ts";

/** All that a store knows. */
export interface StoreContent {
	subscriptions: Map<string, SubscriptionRecord>;
	/** By `verificationKey`. */
	verifications: Map<string, Verification>;
}

export const emptyContent = (): StoreContent => ({
	subscriptions: new Map(),
	verifications: new Map(),
});

export const verificationKey = ({ principal, url }: Verification) =>
	JSON.stringify([principal, url]);

/** The first line: a file without it is another program's, or damaged. */
export const HEADER_LINE = lineOf({ kind: "webhook-store", version: 1 });

export const subscriptionLine = (record: SubscriptionRecord) =>
	lineOf({ kind: "subscription", ...record });

/** What changes with every delivery, without the rest. */
export const positionLine = (record: SubscriptionRecord) => {
	const { id, cursor, hasUntoldGap, failedSince } = record;
	return lineOf({ kind: "position", id, cursor, hasUntoldGap, failedSince });
};

export const endLine = (id: string) => lineOf({ kind: "end", id });

export const verificationLine = (verification: Verification) =>
	lineOf({ kind: "verification", ...verification });

/** The whole content as a new file has it. */
export function contentText(content: StoreContent): string {
	return [
		HEADER_LINE,
		...[...content.verifications.values()].map(verificationLine),
		...[...content.subscriptions.values()].map(subscriptionLine),
	].join("");
}

/**
 * Reads a store's text as far as it can be read. `damaged` counts the lines that could not; the last one does not
 * count where it is torn, as a crash leaves it: nothing in it was promised to anybody.
 */
export function readContent(text: string): {
	content: StoreContent;
	damaged: number;
} {
	const content = emptyContent();
	const lines = text.split("\n");
	const torn = lines.pop();
	let damaged = 0;
	for (const [at, line] of lines.entries()) {
		const isTaken =
			at === 0 ? `${line}\n` === HEADER_LINE : take(line, content);
		if (!isTaken) damaged++;
	}
	// Not even a header was finished: that is no crash of ours.
	if (lines.length === 0 && torn !== "" && !HEADER_LINE.startsWith(torn ?? ""))
		damaged++;
	return { content, damaged };
}

function take(line: string, content: StoreContent): boolean {
	const value = parse(line);
	if (value === undefined) return false;
	const { subscriptions, verifications } = content;
	if (value.kind === "subscription") {
		const record = readRecord(value);
		if (record) subscriptions.set(record.id, record);
		return record !== undefined;
	}
	if (value.kind === "position") return takePosition(value, subscriptions);
	if (value.kind === "end" && typeof value.id === "string") {
		subscriptions.delete(value.id);
		return true;
	}
	const { principal, url, untilMs } = value;
	if (value.kind !== "verification" || !isInstantMs(untilMs)) return false;
	if (typeof principal !== "string" || typeof url !== "string") return false;
	const verification = { principal, url, untilMs };
	verifications.set(verificationKey(verification), verification);
	return true;
}

function takePosition(
	value: Record<string, unknown>,
	subscriptions: Map<string, SubscriptionRecord>,
): boolean {
	const { id, cursor, hasUntoldGap, failedSince } = value;
	if (typeof id !== "string" || typeof cursor !== "string") return false;
	const record = subscriptions.get(id);
	if (!record) return true;
	record.cursor = cursor;
	record.hasUntoldGap = hasUntoldGap === true;
	record.failedSince = isInstantMs(failedSince) ? failedSince : undefined;
	return true;
}

function readRecord(
	value: Record<string, unknown>,
): SubscriptionRecord | undefined {
	const { principal, url, name, secret, cursor, expiresAt } = value;
	if (typeof principal !== "string" || typeof url !== "string")
		return undefined;
	if (typeof name !== "string" || !isRecord(value.arguments)) return undefined;
	if (!isSecret(secret) || typeof cursor !== "string") return undefined;
	if (expiresAt !== null && !isInstantMs(expiresAt)) return undefined;
	const key = { principal, url, name, arguments: value.arguments };
	// The id follows from the key: another one was written by nobody.
	if (value.id !== idOf(key)) return undefined;
	return {
		...key,
		id: value.id,
		secret,
		formerSecrets: readFormer(value.formerSecrets),
		expiresAt,
		cursor,
		isSuspended: value.isSuspended === true,
		hasUntoldGap: value.hasUntoldGap === true,
		failedSince: isInstantMs(value.failedSince) ? value.failedSince : undefined,
	};
}

function readFormer(value: unknown): FormerSecret[] {
	const listed: unknown[] = Array.isArray(value) ? value : [];
	return listed.flatMap((one) =>
		isRecord(one) && isSecret(one.secret) && isInstantMs(one.untilMs)
			? [{ secret: one.secret, untilMs: one.untilMs }]
			: [],
	);
}

function isSecret(value: unknown): value is string {
	if (typeof value !== "string") return false;
	try {
		parseSecret(value);
		return true;
	} catch {
		return false;
	}
}

const isInstantMs = (value: unknown): value is number =>
	typeof value === "number" && Number.isFinite(value);

function parse(line: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function lineOf(value: object): string {
	return `${JSON.stringify(value)}\n`;
}
