// The event type over a plan: where a cursor stands in the file that is there now, and batches of its rows.
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../clock.ts";
import {
	type Batch,
	type EventArguments,
	makeEvent,
	type ReadRequest,
	type SourceType,
	type TypeDescriptor,
} from "../../source.ts";
import type { FollowedDatabase, OpenDatabase } from "./follow-database.ts";
import { createGivenAgain } from "./given-again.ts";
import { createPatience } from "./patience.ts";
import {
	type CursorForm,
	type Place,
	parseCursor,
	writeCursor,
} from "./place.ts";
import { createReplacements } from "./replacements.ts";
import { type ChosenRow, readHead, type Scan, scanRows } from "./scan-rows.ts";

export interface RowTypeOptions {
	descriptor: TypeDescriptor;
	database: FollowedDatabase;
	cursorForm: CursorForm;
	/** Serve all of a file that took another's place while this server looked on; else only what comes after. */
	servesReplacement: boolean;
	clock: Clock;
}

/** Streams open at once: of one child over stdio, of one principal over HTTP. */
const MAX_STREAMS = 10;

export function createRowType(options: RowTypeOptions): SourceType {
	const { descriptor, database, cursorForm, clock } = options;
	const patience = createPatience(clock);
	const replacements = createReplacements(options);
	const givenAgain = createGivenAgain();
	let lastHead: Place | undefined;

	/** The place of a cursor in the file that is there now; truncated where it is none of its places. */
	function resolve(from: Place, open: OpenDatabase) {
		const head = findHead(open);
		const isHere = from.file === open.file;
		if (isHere && from.key <= head.key)
			return { place: from, truncated: false };
		if (isHere) return { place: head, truncated: true };
		const key = replacements.keyFor(from, open, head.key);
		return { place: { file: open.file, key }, truncated: true };
	}

	function findHead(open: OpenDatabase): Place {
		replacements.see(open);
		const key = readHead(open.connection, open.plan);
		lastHead = { file: open.file, key };
		givenAgain.see(lastHead);
		return lastHead;
	}

	function look(from: Place, request: ReadRequest) {
		return database.use((open) => {
			const { place, truncated } = resolve(from, open);
			const { plan, connection } = open;
			const scan = scanRows(connection, plan, {
				after: place.key,
				judgement: plan.judgementOf(request.arguments),
				limit: request.limit,
				sinceMs: request.sinceMs,
				isOverdue: patience.isOverdue,
			});
			return { place, truncated, scan, plan };
		});
	}

	const cursorAt = (file: string, key: bigint) =>
		writeCursor({ file, key }, cursorForm);

	function eventsOf(
		rows: ChosenRow[],
		open: Pick<OpenDatabase, "plan">,
		file: string,
	) {
		const scannedAt = clock.now();
		return rows.map(({ key, at, values }) => {
			const { dataText, id } = open.plan.makeFacts(values);
			return makeEvent({
				eventId: id ?? givenAgain.idOf({ file, key }),
				name: descriptor.name,
				at: at ?? scannedAt,
				dataText,
				cursor: cursorAt(file, key),
			});
		});
	}

	async function read(request: ReadRequest): Promise<Batch> {
		let from = parseCursor(request.cursor, cursorForm);
		let truncated = false;
		for (;;) {
			const found = look(from, request);
			// It will be there again, and `watch` tells: nothing is lost by waiting.
			if (!found) return nothingAt(writeCursor(from, cursorForm), truncated);
			const { place, scan, plan } = found;
			truncated ||= found.truncated || scan.skippedOld;
			if (scan.waitsFor !== undefined) patience.waitFor(scan.waitsFor);
			if (isAllOld(scan, request)) {
				from = { file: place.file, key: scan.end };
				await setImmediate();
				continue;
			}
			return {
				from: cursorAt(place.file, place.key),
				events: eventsOf(scan.chosen, { plan }, place.file),
				cursor: cursorAt(place.file, scan.end),
				hasMore: scan.hasMore,
				truncated,
			};
		}
	}

	function head(_args: EventArguments): string {
		database.use(findHead);
		// Where it cannot be read now, what comes is what came since it last could.
		if (!lastHead) throw new Error("the database could never be read");
		return writeCursor(lastHead, cursorForm);
	}

	return {
		descriptor,
		limits: { streamsPerCaller: MAX_STREAMS },
		head,
		read,
		watch(_args, wake) {
			const leave = database.watch(wake);
			const forget = patience.watch(wake);
			return () => {
				leave();
				forget();
			};
		},
	};
}

/** Rows too old to serve are passed over in one read: a stream asks for that only once. */
const isAllOld = (scan: Scan, { sinceMs }: ReadRequest) =>
	sinceMs !== undefined && !scan.reachedFresh && scan.hasMore;

function nothingAt(cursor: string, truncated: boolean): Batch {
	return { from: cursor, events: [], cursor, hasMore: false, truncated };
}
