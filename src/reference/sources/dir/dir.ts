// Files and folders that come, change and go below a folder, told by their paths: never what is in them.
import { realpath, stat } from "node:fs/promises";
import { Fault } from "../../../faults/index.ts";
import type { Clock } from "../../clock.ts";
import { Feed } from "../../feed.ts";
import type { EventArguments, Source, SourceType } from "../../source.ts";
import { checkPrefix } from "../prefix.ts";
import { describe, HAPPENINGS, type Happening } from "./descriptors.ts";
import type { Entry } from "./entry.ts";
import { makeGlob, makeIgnore } from "./glob.ts";
import { type Difference, openTree } from "./tree.ts";

export interface DirOptions {
	path: string;
	clock: Clock;
	/** Names this run: what happened before a restart cannot be told, so its cursors are a gap. */
	epoch: string;
	/** What the names of the event types begin with, where `dir` is taken; letters, digits, ".", "_", "-". */
	prefix?: string | undefined;
	/** Globs: with a slash for whole paths, without one for names at any depth. */
	ignore?: readonly string[] | undefined;
	/** How long a path must be quiet before it is told. */
	settleMs?: number | undefined;
	bufferSize?: number | undefined;
	/** How often to look at everything, whatever the system has told. */
	lookEveryMs?: number | undefined;
	/** Files and folders that are kept in mind; more are left out. */
	maxEntries?: number | undefined;
	/** For what the operator should know. */
	note?: ((text: string) => void) | undefined;
}

interface Facts {
	happening: Happening;
	path: string;
	kind: Entry["kind"];
}

const BUFFER_SIZE = 10_000;
const SETTLE_MS = 250;
const LOOK_EVERY_MS = 30_000;
const MAX_ENTRIES = 200_000;
/** Then the rest is kept quiet about. */
const MAX_NOTES = 50;
/** Of the year 9999, beyond which ISO 8601 takes another form. */
const LATEST_MS = 253_402_300_799_999;

/** Watches until closed. Throws `file-failed` where there is no folder, `wrong-use` for a prefix that is no name. */
export async function openDirSource(options: DirOptions): Promise<Source> {
	const { path, clock, epoch, ignore = [], note = () => {} } = options;
	const prefix = checkPrefix(options.prefix ?? "dir");
	const root = await findFolder(path);
	const { bufferSize: maxEvents = BUFFER_SIZE } = options;
	const feed = new Feed<Facts>({ clock, epoch, maxEvents });

	function emit(happening: Happening, path: string, entry: Entry) {
		const { kind } = entry;
		feed.emit(
			(sequence) => ({
				eventId: `${prefix}-${epoch}-${sequence}`,
				name: `${prefix}.${happening}`,
				at: clock.now(),
				dataText: JSON.stringify(dataOf(path, entry)),
			}),
			{ happening, path, kind },
		);
	}

	function tell({ path, before, after }: Difference) {
		if (before && after?.kind === before.kind) emit("changed", path, after);
		else {
			if (before) emit("removed", path, before);
			if (after) emit("created", path, after);
		}
	}

	const tree = await openTree({
		root,
		clock,
		isIgnored: makeIgnore(ignore),
		settleMs: options.settleMs ?? SETTLE_MS,
		lookEveryMs: options.lookEveryMs ?? LOOK_EVERY_MS,
		maxEntries: options.maxEntries ?? MAX_ENTRIES,
		tell,
		tellGone: () => note(`${path} is gone, or another took its place`),
		tellBack() {
			feed.tellGap();
			note(`${path} is watched again; what happened meanwhile may be missed`);
		},
		trouble: makeNoter(options),
	});
	const types = HAPPENINGS.map(
		(happening): SourceType => ({
			descriptor: describe(prefix, happening),
			head: () => feed.head(),
			read(request) {
				const fits = makeFilter(request.arguments);
				return feed.read(
					request,
					(facts) => facts.happening === happening && fits(facts),
				);
			},
			watch: (_args, wake) => feed.watch(wake),
		}),
	);
	return { types, close: () => tree.close() };
}

async function findFolder(path: string): Promise<string> {
	try {
		const root = await realpath(path);
		if ((await stat(root)).isDirectory()) return root;
	} catch (cause) {
		throw new Fault("file-failed", {
			what: `the folder ${JSON.stringify(path)} cannot be watched`,
			why: cause instanceof Error ? cause.message : String(cause),
			cause,
		});
	}
	throw new Fault("wrong-use", {
		what: `${JSON.stringify(path)} cannot be watched as a folder`,
		why: "it is a file",
		next: `follow its lines: mcp-events serve file ${path}`,
	});
}

function makeFilter(args: EventArguments): (facts: Facts) => boolean {
	const { glob, under, extension } = args;
	const tests: ((facts: Facts) => boolean)[] = [];
	if (args.kind !== undefined) tests.push(({ kind }) => kind === args.kind);
	if (typeof under === "string") {
		const start = withSlash(under);
		tests.push(({ path }) => path.startsWith(start));
	}
	if (typeof extension === "string") {
		const end = withDot(extension).toLowerCase();
		tests.push(({ path }) => path.toLowerCase().endsWith(end));
	}
	if (typeof glob === "string") {
		const fits = makeGlob(glob);
		tests.push(({ path }) => fits(path));
	}
	return (facts) => tests.every((test) => test(facts));
}

const withSlash = (folder: string) =>
	folder.endsWith("/") ? folder : `${folder}/`;

const withDot = (extension: string) =>
	extension.startsWith(".") ? extension : `.${extension}`;

function dataOf(path: string, { kind, sizeBytes, modifiedAtMs }: Entry) {
	const isDate = modifiedAtMs >= 0 && modifiedAtMs <= LATEST_MS;
	return {
		path,
		kind,
		sizeBytes: kind === "file" ? sizeBytes : undefined,
		modifiedAt: isDate ? new Date(modifiedAtMs).toISOString() : undefined,
	};
}

/** Each trouble is noted once. */
function makeNoter({ path, note = () => {} }: DirOptions) {
	const noted = new Set<string>();
	return (what: string, error: unknown) => {
		const why = error instanceof Error ? error.message : String(error);
		const place = what === "" ? "" : ` (${JSON.stringify(what)})`;
		const text = `${path}${place}: ${why}`;
		if (noted.size >= MAX_NOTES || noted.has(text)) return;
		noted.add(text);
		note(text);
	};
}
