// What an earlier run has taken, read back from its captures: so that nothing is shown twice, and what was acknowledged
// but perhaps not shown is shown first.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Capture, readCaptures } from "../../captures/index.ts";
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import {
	headerValues,
	type Occurrence,
	parseJsonBytes,
	readDeliveryContent,
	WEBHOOK_HEADERS,
} from "../../protocol/index.ts";
import type { ReceivedContent } from "../../receiver/index.ts";
import {
	type BacklogEntry,
	deliveryKey,
	messageId,
	readMessage,
} from "../../tail/index.ts";
import type { FirstMark } from "../follow/shown-mark.ts";

export interface EarlierOptions {
	folder: string;
	/** The receiver's paths that were theirs. */
	paths: readonly string[];
	sinceMs: number;
	/** What an earlier run said of how far it came; undefined: nothing. */
	mark: FirstMark | undefined;
	label: string;
	/** `anything`: signed JSON that is no event counts as one. */
	expects: "events" | "anything";
}

export interface Earlier {
	/** As `deliveryKey` has it, oldest first. */
	known: string[];
	backlog: BacklogEntry[];
	/** The last capture that was shown, as far as we know. */
	shown: string | undefined;
	/** Those that were being shown when the run was cut off. */
	doubtful: string[];
}

/** What is older is not worth the wait at the start: a sender has given up on it long before. */
const MOST_BYTES = 256 * 1024 * 1024;
/** So many keys are kept at most; a longer memory is refused by the flag of the window too. */
const MOST_KEYS = 100_000;

/** Reads the captures of one subscription. Where there is no folder yet, there is nothing. */
export async function readEarlier(options: EarlierOptions): Promise<Earlier> {
	const { folder, paths, sinceMs, mark, label, expects } = options;
	const shown = mark?.shown;
	const files = await recentFiles(folder, sinceMs);
	const known: string[] = [];
	/** What came after the last one that was shown; all of it where none was. */
	let after: Keyed[] = [];
	let keysShown: ReadonlySet<string> = new Set();
	let isMarkFound = shown === undefined;
	let doubtful: string[] = [];
	let isInDoubt = mark?.doubtful && mark.doubtful.after === undefined;
	for await (const capture of readCaptures(files, { filters: { sinceMs } })) {
		if (!paths.includes(capture.path.split("?", 1)[0] ?? "")) continue;
		const content = contentOf(capture);
		const key = deliveryKey(content, capture.headers);
		const item = itemOf(content, capture, { label, expects });
		if (key !== undefined) known.push(key);
		if (key !== undefined && item)
			after.push({ key, entry: { item, capture: capture.id } });
		if (isInDoubt && item) doubtful.push(capture.id);
		if (mark?.doubtful && capture.id === mark.doubtful.after) isInDoubt = true;
		if (capture.id !== shown) continue;
		isInDoubt = false;
		isMarkFound = true;
		keysShown = new Set(known);
		after = [];
	}
	// Where the mark's capture was pruned, what is left may have been shown: better not at all than twice.
	const backlog = isMarkFound ? firstOfEach(after, keysShown) : [];
	if (!isMarkFound) doubtful = [];
	return { known: known.slice(-MOST_KEYS), backlog, shown, doubtful };
}

interface Keyed {
	key: string;
	entry: BacklogEntry;
}

/** A crash between the disk and the answer makes the sender repeat what is captured already. */
function firstOfEach(
	after: readonly Keyed[],
	keysShown: ReadonlySet<string>,
): BacklogEntry[] {
	const seen = new Set(keysShown);
	return after.flatMap(({ key, entry }) => {
		if (seen.has(key)) return [];
		seen.add(key);
		return [entry];
	});
}

/** What is shown of a delivery: an event, or that the server has skipped some. */
function itemOf(
	content: ReceivedContent,
	capture: Capture,
	{ label, expects }: Pick<EarlierOptions, "label" | "expects">,
): BacklogEntry["item"] | undefined {
	const about = {
		subscription: label,
		via: "webhook" as const,
		receivedAt: capture.receivedAtMs,
	};
	if (content.kind === "gap" && isOurs(capture, expects))
		return {
			...about,
			kind: "gap",
			reason: "truncated",
			cursor: content.cursor,
		};
	const occurrence = occurrenceOf(content, capture, expects);
	return (
		occurrence && { ...about, kind: "event", occurrence, capture: capture.id }
	);
}

/** Whether an envelope is one: from any other sender than an MCP server it is a message like all others. */
function isOurs(
	{ headers }: Capture,
	expects: EarlierOptions["expects"],
): boolean {
	const named = headerValues(headers, WEBHOOK_HEADERS.subscriptionId);
	return expects === "events" || named.length > 0;
}

function contentOf({ body }: Capture): ReceivedContent {
	try {
		return readDeliveryContent(body, parseJsonBytes(body), () => {});
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return { kind: "message" };
	}
}

function occurrenceOf(
	content: ReceivedContent,
	capture: Capture,
	expects: EarlierOptions["expects"],
): Occurrence | undefined {
	const { body, headers } = capture;
	if (content.kind === "event") return content.occurrence;
	const isEnvelope = content.kind !== "message" && isOurs(capture, expects);
	if (expects === "events" || isEnvelope || content.kind === "verification")
		return undefined;
	return readMessage(body, messageId(headers));
}

/** The newest files of a folder that were written since, up to a size, oldest first. */
async function recentFiles(folder: string, sinceMs: number): Promise<string[]> {
	const names = await readdir(folder).catch(() => []);
	const files: string[] = [];
	let left = MOST_BYTES;
	for (const name of names.sort().reverse()) {
		if (!name.endsWith(".ndjson")) continue;
		const path = join(folder, name);
		const facts = await stat(path).catch(() => undefined);
		if (!facts || facts.mtimeMs < sinceMs) continue;
		left -= facts.size;
		if (left < 0) break;
		files.unshift(path);
	}
	return files;
}

/** Says what may have been shown or not, and where it is to be seen. */
export function tellDoubt(
	label: string,
	doubtful: readonly string[],
	output: Output,
): void {
	const [first, ...others] = doubtful;
	if (first === undefined) return;
	const more = others.length > 0 ? ` and ${others.length} after it` : "";
	output.warn(
		`${label}: an earlier listener was cut off while it showed ${first}${more}: not shown again; to see it: mcp-events captures show ${first}`,
	);
}
