// Which bytes lie in the scanner's memory: one text at a time, laid out again where another one was scanned meanwhile.
import { REFUSED } from "../json-scan.ts";
import { type Compiler, openScanner, type Scanner } from "./scanner.ts";

/** Bytes that are to be scanned. They must not change as long as they are. */
export interface Laid {
	readonly bytes: Buffer;
}

export const layOut = (bytes: Buffer): Laid => ({ bytes });

declare const WebAssembly: Compiler | undefined;

/** null: there is none on this machine. */
let scanner: Scanner | null | undefined;
let current: Laid | undefined;

/** The scanner, with these bytes laid out in it; undefined where there is none, or they are too long for it. */
export function scannerOf(laid: Laid): Scanner | undefined {
	if (laid === current) return scanner ?? undefined;
	if (scanner === undefined)
		scanner =
			openScanner(typeof WebAssembly === "object" ? WebAssembly : undefined) ??
			null;
	if (!scanner?.layOut(laid.bytes)) return undefined;
	current = laid;
	return scanner;
}

/** The place behind the value that begins at a place, or REFUSED where the scanner does not vouch for it. */
export const scanValue = (laid: Laid, from: number): number =>
	scannerOf(laid)?.scanValue(from) ?? REFUSED;
