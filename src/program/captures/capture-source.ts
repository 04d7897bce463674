// From words to captures: an id, a file, a folder, or - for stdin.
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import {
	type Capture,
	type CaptureFilters,
	eachOf,
	findCaptures,
	hasRejected,
	isCaptureId,
	listCaptureFiles,
	type OddLine,
	openAsOfNow,
	readCaptureFolder,
	readDeliveries,
} from "../../captures/index.ts";
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import { stateFolder } from "../connect/state-place.ts";
import type { FilterFlags, PlaceFlags } from "../flags/capture-flags.ts";
import { parseMoment } from "../flags/moment.ts";
import type { World } from "../process/world.ts";

/** The folder of the captures that the flags name. */
export function capturesFolder(flags: PlaceFlags, world: World): string {
	if (flags.captures) return flags.captures;
	return join(stateFolder(flags, world), "captures");
}

export function captureFilters(
	flags: FilterFlags,
	nowMs: number,
): CaptureFilters {
	const { since, event, subscription, verdict } = flags;
	return {
		...(since ? { sinceMs: parseMoment(since, "since", nowMs) } : {}),
		...(event ? { events: event } : {}),
		...(subscription ? { subscriptions: subscription } : {}),
		...(verdict ? { verdicts: verdict } : {}),
	};
}

export interface SourceOptions {
	flags: PlaceFlags;
	/** For files and stdin; a capture that is named by its id is taken whatever it is. */
	filters: CaptureFilters;
	world: World;
	output: Output;
	/** Told of each line that can be no capture, but for a torn last one. */
	broken?: () => void;
}

/** What was found, and whether it was named by its id. */
export interface FoundCapture {
	capture: Capture;
	isNamed: boolean;
}

/** Yields what the words name, in their order. Throws `capture-unknown`, `file-failed`, or `wrong-shape`. */
export const readCaptureWords = (
	words: readonly string[],
	options: SourceOptions,
): AsyncGenerator<FoundCapture> => eachOf(readWordBatches(words, options));

/** The same in batches. */
export async function* readWordBatches(
	words: readonly string[],
	options: SourceOptions,
): AsyncGenerator<FoundCapture[]> {
	const { filters, world } = options;
	const odd = oddTeller(options);
	for (const word of words) {
		const kind = await kindOf(word);
		if (kind === "id") {
			const folder = capturesFolder(options.flags, world);
			for await (const capture of findCaptures(folder, [word], {
				odd,
			}))
				yield [{ capture, isNamed: true }];
			continue;
		}
		const found =
			kind === "folder"
				? readCaptureFolder(word, { filters, odd })
				: readDeliveries(openChunks(word, world), {
						path: word === "-" ? "stdin" : word,
						nowMs: world.now(),
						filters,
						odd,
					});
		for await (const captures of found)
			yield captures.map((capture) => ({ capture, isNamed: false }));
	}
}

/**
 * The files that the words name, in their order, where they hold captures alone and `leastBytes` in all; undefined
 * where they are read in another way: by id, by time, from a pipe, as HTTP text, or not at all.
 */
export async function largeCaptureFiles(
	words: readonly string[],
	leastBytes: number,
): Promise<string[] | undefined> {
	const files: string[] = [];
	try {
		for (const word of words) {
			const isFolder = (await stat(word)).isDirectory();
			if (isFolder ? await hasRejected(word) : !(await isOfCaptures(word)))
				return undefined;
			files.push(...(await listCaptureFiles([word])));
		}
		let bytes = 0;
		for (const file of files) bytes += (await stat(file)).size;
		return bytes < leastBytes ? undefined : files;
	} catch {
		// Whoever reads them then says what is wrong with them.
		return undefined;
	}
}

/** Whether a file begins as captures do, without white space before them. */
async function isOfCaptures(path: string): Promise<boolean> {
	if (!(await stat(path)).isFile()) return false;
	await using file = await open(path);
	const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, 0);
	return bytesRead === 1 && buffer.toString() === "{";
}

/** Yields every capture of the folder that passes. Nothing where there is no folder yet. */
export async function* readAllCaptures(
	options: SourceOptions,
): AsyncGenerator<Capture> {
	const { filters, flags, world } = options;
	if (!(await isFolderThere(options))) return;
	const folder = capturesFolder(flags, world);
	yield* eachOf(
		readCaptureFolder(folder, { filters, odd: oddTeller(options) }),
	);
}

/** A folder that was named must be there; the usual one is made by the first listener, and that is told. */
export async function isFolderThere({
	flags,
	world,
	output,
}: Pick<SourceOptions, "flags" | "world" | "output">): Promise<boolean> {
	const folder = capturesFolder(flags, world);
	const isThere = await stat(folder).then(
		() => true,
		() => false,
	);
	if (!isThere && !flags.captures)
		output.say(`there are no captures yet in ${folder}`);
	return isThere || flags.captures !== undefined;
}

type WordKind = "id" | "stdin" | "file" | "folder";

async function kindOf(word: string): Promise<WordKind> {
	if (word === "-") return "stdin";
	const facts = await stat(word).catch(() => undefined);
	if (facts) return facts.isDirectory() ? "folder" : "file";
	if (isCaptureId(word)) return "id";
	throw new Fault("capture-unknown", {
		what: `${JSON.stringify(word)} is neither a file nor the id of a capture`,
		why: "no file has that name, and ids look like cap_mf3k2x1a_0b1c2d3e_1",
		next: "see what was captured: mcp-events captures list",
	});
}

async function* openChunks(word: string, world: World): AsyncGenerator<Buffer> {
	try {
		const stream = word === "-" ? world.stdin : await openAsOfNow(word);
		for await (const chunk of stream) yield Buffer.from(chunk);
	} catch (cause) {
		throw new Fault("file-failed", {
			what: `${word === "-" ? "stdin" : word} cannot be read`,
			why: cause instanceof Error ? cause.message : String(cause),
			cause,
		});
	}
}

export type OddTeller = (line: OddLine) => void;

/** How lines that are no captures are told of. */
export function oddTeller({
	output,
	broken,
}: Pick<SourceOptions, "output" | "broken">): OddTeller {
	return (odd) => {
		const place = `${odd.path}, line ${odd.line}`;
		if (odd.kind === "torn")
			return output.note(`${place} is torn: a crash cut it short`);
		broken?.();
		output.warn(`${place} is no capture and is passed over: ${odd.why}`);
	};
}
