// Places in a database: which file, and the key up to which its rows were looked at. As cursors they are text.
import type { BigIntStats } from "node:fs";
import { invalidParams } from "../../refusal.ts";

/** `v2` tells a file that took over a deleted one's inode from it; `v1` is what the programs write that presets stand in for. */
export type CursorForm = "v1" | "v2";

export interface Place {
	/** The file, as `fileIdentity` writes it. */
	file: string;
	key: bigint;
}

const FORMS: Record<CursorForm, RegExp> = {
	v1: /^v1\.(\d{1,20}-\d{1,20})\.(-?\d{1,19})$/,
	v2: /^v2\.(\d{1,20}-\d{1,20}-\d{1,20})\.(-?\d{1,19})$/,
};

/** Before every row but one of this very key, which no database has by itself. */
export const LEAST_KEY = -(2n ** 63n);
const GREATEST_KEY = 2n ** 63n - 1n;

/** Device and inode, and in v2 the time of birth in nanoseconds (0 where the file system keeps none). */
export function fileIdentity(facts: BigIntStats, form: CursorForm): string {
	const inode = `${facts.dev}-${facts.ino}`;
	return form === "v1" ? inode : `${inode}-${facts.birthtimeNs}`;
}

export const writeCursor = ({ file, key }: Place, form: CursorForm): string =>
	`${form}.${file}.${key}`;

/** Refuses (InvalidParams) what was never written here. */
export function parseCursor(cursor: string, form: CursorForm): Place {
	const parts = FORMS[form].exec(cursor);
	const key = BigInt(parts?.[2] ?? 0);
	const isKey = key >= LEAST_KEY && key <= GREATEST_KEY;
	if (!parts?.[1] || !isKey || String(key) !== parts[2])
		throw invalidParams("cursor is none of this server's");
	return { file: parts[1], key };
}
