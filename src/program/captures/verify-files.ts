// `verify` of large files: threads check pieces of them at the same time, and what is printed keeps their order.
import { cutAtLineEnds, readFileChunks } from "../../captures/index.ts";
import type { Output } from "../../output/index.ts";
import type { World } from "../process/world.ts";
import type { OddTeller } from "./capture-source.ts";
import type { CheckedPiece, CheckOrder } from "./check-piece.ts";
import { openCheckThreads } from "./check-threads.ts";

/** One that is checked, and one that waits so that the thread need not. */
const PIECES_EACH = 2;

/** A chunk of a file and the beginning of a line before it, as a rule. */
const ROOM_BYTES = 192 * 1024;

interface UnderWay {
	/** Which of the files; a path may be given twice. */
	file: number;
	checked: Promise<CheckedPiece>;
}

/** What came out for all files. */
export interface FilesChecked {
	deliveries: number;
	hasFailed: boolean;
}

/** Prints the verdicts on all deliveries in files of captures, and tells of lines that are none. */
export async function verifyFiles(
	files: readonly string[],
	options: {
		order: CheckOrder;
		threads: number;
		world: World;
		output: Output;
		tell: OddTeller;
	},
): Promise<FilesChecked> {
	const { threads, output, tell } = options;
	const { stop } = options.world;
	await using pool = openCheckThreads(options.order, { threads, stop });
	const total: FilesChecked = { deliveries: 0, hasFailed: false };
	const underWay: UnderWay[] = [];
	let reading = { file: 0, lines: 0 };
	// Pieces go to and fro in the same memory: of what is thrown away, much is given back late.
	const spare: ArrayBuffer[] = [];
	const roomFor = (length: number) => {
		const used = spare.pop();
		const isEnough = used !== undefined && used.byteLength >= length;
		const size = Math.max(length, ROOM_BYTES);
		return new Uint8Array(isEnough ? used : new ArrayBuffer(size), 0, length);
	};
	const printFirst = async () => {
		const first = underWay.shift();
		if (!first) return;
		const { file } = first;
		const checked = await first.checked;
		if (reading.file !== file) reading = { file, lines: 0 };
		for (const odd of checked.odd)
			tell({ ...odd, line: odd.line + reading.lines });
		reading.lines += checked.lines;
		total.deliveries += checked.deliveries;
		total.hasFailed ||= checked.hasFailed;
		const { buffer, length } = checked.printed;
		if (length > 0) await output.bytes(Buffer.from(buffer, 0, length));
		spare.push(buffer);
	};
	for await (const piece of readPieces(files, roomFor)) {
		if ("failure" in piece) {
			// What was read before is shown before that is told.
			while (underWay.length > 0) await printFirst();
			throw piece.failure;
		}
		const { file, ...bytes } = piece;
		const checked = pool.check(bytes);
		// Rejected while an earlier one is waited for, it must not count as unheard.
		checked.catch(() => {});
		underWay.push({ file, checked });
		if (underWay.length >= threads * PIECES_EACH) await printFirst();
	}
	while (underWay.length > 0) await printFirst();
	return total;
}

async function* readPieces(
	files: readonly string[],
	roomFor: (length: number) => Uint8Array<ArrayBuffer>,
) {
	for (const [file, path] of files.entries())
		try {
			for await (const bytes of cutAtLineEnds(readFileChunks(path), roomFor))
				yield { file, path, bytes };
		} catch (failure) {
			yield { failure };
		}
}
