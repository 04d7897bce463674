// What `captures list`, `show`, `export` and `prune` do.
import {
	type Capture,
	captureUrl,
	curlCommand,
	eventName,
	harEntry,
	harFrame,
	pruneCaptures,
	writeCaptureLine,
	writeRawRequest,
} from "../../captures/index.ts";
import { EXIT_STATUSES, Fault } from "../../faults/index.ts";
import {
	type CaptureRow,
	type Output,
	renderCapture,
	renderCaptureTable,
} from "../../output/index.ts";
import { parseJsonBytes } from "../../protocol/index.ts";
import { ownerOf } from "../connect/owner.ts";
import type { FilterFlags, PlaceFlags } from "../flags/capture-flags.ts";
import { PROGRAM } from "../process/program-name.ts";
import type { World } from "../process/world.ts";
import {
	captureFilters,
	capturesFolder,
	isFolderThere,
	readAllCaptures,
	readCaptureWords,
} from "./capture-source.ts";

type Flags = PlaceFlags & FilterFlags;
interface Pieces {
	world: World;
	output: Output;
}

const DONE = EXIT_STATUSES.done.status;

/** Prints what was captured: a table, or the captures themselves. */
export async function runCapturesList(
	options: { flags: Flags; asTable: boolean },
	pieces: Pieces,
): Promise<number> {
	const { flags, asTable } = options;
	const { output, world } = pieces;
	const filters = captureFilters(flags, world.now());
	const rows: CaptureRow[] = [];
	for await (const capture of readAllCaptures({ flags, filters, ...pieces })) {
		if (asTable) rows.push(rowOf(capture));
		else await output.lines([lineOf(capture)]);
	}
	if (rows.length > 0)
		await output.text((page) => renderCaptureTable(rows, page));
	else if (asTable) output.say("no capture fits");
	return DONE;
}

/** Prints one capture after the other, whole. */
export async function runCapturesShow(
	options: { words: string[]; flags: PlaceFlags; asText: boolean },
	pieces: Pieces,
): Promise<number> {
	const { words, flags, asText } = options;
	if (words.length === 0) throw nothingNamed("captures show");
	const { output } = pieces;
	const found = readCaptureWords(words, { flags, filters: {}, ...pieces });
	for await (const { capture } of found) {
		if (!asText) {
			await output.lines([lineOf(capture)]);
			continue;
		}
		const told = toldOf(capture);
		const isJson = holdsJson(capture.body);
		await output.text((page) => renderCapture({ capture, told, isJson }, page));
	}
	return DONE;
}

export const EXPORT_FORMS = ["curl", "raw", "har"] as const;

/** Prints captures in the form of another tool. */
export async function runCapturesExport(
	options: {
		words: string[];
		flags: Flags;
		form: (typeof EXPORT_FORMS)[number];
		to: string | undefined;
	},
	pieces: Pieces,
): Promise<number> {
	const { flags, form, to } = options;
	const { output } = pieces;
	const frame = harFrame(PROGRAM);
	let count = 0;
	for await (const capture of chosen(options, pieces)) {
		const url = to ?? captureUrl(capture);
		if (form === "curl")
			await output.bytes(Buffer.from(`${curlCommand(capture, url)}\n`));
		else if (form === "raw") await output.bytes(writeRawRequest(capture));
		else {
			const entry = JSON.stringify(harEntry(capture, url));
			const before = count === 0 ? frame.start : ",\n";
			await output.bytes(Buffer.from(before + entry));
		}
		count++;
	}
	if (form === "har") {
		const start = count === 0 ? frame.start : "";
		await output.bytes(Buffer.from(`${start}${frame.end}\n`));
	} else if (count === 0)
		output.say(`no capture fits in ${capturesFolder(flags, pieces.world)}`);
	return DONE;
}

async function* chosen(
	{ words, flags }: { words: string[]; flags: Flags },
	pieces: Pieces,
): AsyncGenerator<Capture> {
	const filters = captureFilters(flags, pieces.world.now());
	const options = { flags, filters, ...pieces };
	if (words.length === 0) return yield* readAllCaptures(options);
	for await (const { capture } of readCaptureWords(words, options))
		yield capture;
}

/** Removes captures; what goes must have been said. */
export async function runCapturesPrune(
	options: {
		flags: Flags;
		/** Only what arrived before this. */
		untilMs: number | undefined;
		isAll: boolean;
		isDryRun: boolean;
	},
	{ world, output }: Pieces,
): Promise<number> {
	const { flags, untilMs, isAll, isDryRun } = options;
	const filters = {
		...captureFilters(flags, world.now()),
		...(untilMs === undefined ? {} : { untilMs }),
	};
	if (Object.keys(filters).length === 0 && !isAll)
		throw new Fault("wrong-use", {
			what: "captures prune does not know what may go",
			why: "no filter is given",
			next: "mcp-events captures prune --older-than 7d, or --all",
		});
	if (!(await isFolderThere({ flags, world, output }))) return DONE;
	const folder = capturesFolder(flags, world);
	const pruned = await pruneCaptures({
		folder,
		filters,
		isDryRun,
		owner: ownerOf(world),
	});
	const { captures, bytes, busyFiles } = pruned;
	const act = isDryRun ? "would remove" : "removed";
	output.say(`${act} ${captures} captures (${bytes} bytes) from ${folder}`);
	if (busyFiles > 0)
		output.say(
			`left ${busyFiles} files alone: a listener writes them; prune again when it has ended`,
		);
	return DONE;
}

function rowOf(capture: Capture): CaptureRow {
	return {
		id: capture.id,
		receivedAtMs: capture.receivedAtMs,
		subscription: capture.subscription ?? "",
		event: eventName(capture) ?? "",
		verdict: capture.verdict.kind,
		status: capture.answer.status,
	};
}

/** The line as it is kept, so that what is listed can be read again. */
function lineOf(capture: Capture): Buffer {
	return writeCaptureLine(capture.id, capture).subarray(0, -1);
}

/** What else the verdict holds: which secret fitted, or the evidence against it. */
function toldOf({ verdict }: Capture): string {
	const { kind: _kind, ...rest } = verdict;
	if (verdict.kind === "valid" && typeof rest.label === "string")
		return `signed with ${rest.label}`;
	return Object.entries(rest)
		.map(([name, value]) => `${name} ${JSON.stringify(value)}`)
		.join(", ");
}

function holdsJson(body: Buffer): boolean {
	try {
		parseJsonBytes(body);
		return true;
	} catch (error) {
		if (error instanceof Fault) return false;
		throw error;
	}
}

function nothingNamed(command: string): Fault {
	return new Fault("wrong-use", {
		what: `${command} needs a CAPTURE`,
		why: "no id and no file is named",
		next: "see what was captured: mcp-events captures list",
	});
}
