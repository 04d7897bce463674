// The compiled scanner (scanner.as.ts) and its memory: bytes are laid out in it, and scanned where they lie.
import { REFUSED } from "../json-scan.ts";
import { SCANNER_BASE64 } from "./scanner-base64.ts";

/** What the scanner found last, by number: places in its memory, 0 for what is absent. As in scanner.as.ts. */
export const FOUND = {
	breaks: 0,
	eventId: 1,
	name: 2,
	timestamp: 3,
	data: 4,
	cursor: 5,
	meta: 6,
	metaEnd: 7,
	isNameNew: 9,
	isMetaNew: 10,
	start: 11,
} as const;
const FOUND_LENGTH = 12;

/** A scan reads sixteen bytes at once, and ends at a zero, which stands in no JSON. */
const PADDING_BYTES = 32;
const PAGE_BYTES = 65_536;
/** The memory never shrinks: what is longer is left to JSON.parse. */
const MOST_BYTES = 16 * 1024 * 1024;

interface Memory {
	readonly buffer: ArrayBuffer;
	grow(pages: number): number;
}

/** What scanner.as.ts exports. */
interface Program {
	readonly memory: Memory;
	readonly INPUT: { readonly value: number };
	scanValue(from: number): number;
	scanOccurrence(from: number): number;
	scanEvent(from: number, end: number): number;
	keepHead(from: number, end: number): void;
	scanFrame(from: number): number;
	keepFrame(from: number, end: number): void;
}

/** The global of that name, as far as it is used. */
export interface Compiler {
	Module: new (bytes: Uint8Array) => object;
	Instance: new (module: object) => { exports: unknown };
}

/** Places are those in the bytes that are laid out. */
export class Scanner {
	/** What was found last, by the numbers of FOUND; places by `placeOf`. */
	found: Int32Array;
	readonly #program: Program;
	/** Where the bytes begin in the memory. */
	readonly #input: number;
	#memory: Uint8Array;

	constructor(program: Program) {
		this.#program = program;
		this.#input = program.INPUT.value;
		this.#memory = new Uint8Array(program.memory.buffer);
		this.found = new Int32Array(program.memory.buffer, 0, FOUND_LENGTH);
	}

	/** Lays bytes out in place of those before; false where they are too long. */
	layOut(bytes: Buffer): boolean {
		if (bytes.length > MOST_BYTES) return false;
		const end = this.#input + bytes.length;
		const missing = end + PADDING_BYTES - this.#memory.length;
		if (missing > 0) this.#grow(Math.ceil(missing / PAGE_BYTES));
		this.#memory.set(bytes, this.#input);
		this.#memory.fill(0, end, end + PADDING_BYTES);
		return true;
	}

	/** The place behind the value at a place, or REFUSED. */
	scanValue(from: number): number {
		return this.#relative(this.#program.scanValue(this.#input + from));
	}

	/** The place behind the occurrence at a place, or REFUSED; `found` tells of it. */
	scanOccurrence(from: number): number {
		return this.#relative(this.#program.scanOccurrence(this.#input + from));
	}

	/** The same for the one in the message between two places that begins as the kept one, and ends behind it. */
	scanEvent(start: number, end: number): number {
		const input = this.#input;
		return this.#relative(this.#program.scanEvent(input + start, input + end));
	}

	/** Keeps the beginning of a message, up to its params. */
	keepHead(start: number, end: number): void {
		this.#program.keepHead(this.#input + start, this.#input + end);
	}

	/** The same for the one in the frame at a place that begins as the kept one. */
	scanFrame(start: number): number {
		return this.#relative(this.#program.scanFrame(this.#input + start));
	}

	/** Keeps the beginning of a frame, up to the params of its message. */
	keepFrame(start: number, end: number): void {
		this.#program.keepFrame(this.#input + start, this.#input + end);
	}

	/** The place of a member that was found; before all places where it is absent. */
	placeOf(member: number): number {
		return (this.found[member] as number) - this.#input;
	}

	#relative(place: number): number {
		return place === REFUSED ? REFUSED : place - this.#input;
	}

	#grow(pages: number): void {
		const { memory } = this.#program;
		memory.grow(pages);
		this.#memory = new Uint8Array(memory.buffer);
		this.found = new Int32Array(memory.buffer, 0, FOUND_LENGTH);
	}
}

/**
 * Compiles the scanner; undefined where that is not possible (a processor without vectors, a Node that runs no compiled
 * code): everything is read by JSON.parse then, which is slower.
 */
export function openScanner(
	compiler: Compiler | undefined,
): Scanner | undefined {
	if (!compiler) return undefined;
	try {
		const bytes = Buffer.from(SCANNER_BASE64, "base64");
		const module = new compiler.Module(bytes);
		return new Scanner(new compiler.Instance(module).exports as Program);
	} catch {
		return undefined;
	}
}
