// Durations and sizes as a user writes them (product.md, Output): 250ms 10s 5m 2h 1d; 512kb 16mb.
import { Fault } from "../../faults/index.ts";

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const UNIT_BYTES = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** Milliseconds; throws `wrong-use` that names the flag. */
export function parseDuration(text: string, flag: string): number {
	return parseUnits(text, UNIT_MS, {
		flag,
		thing: "a duration",
		allowed: "a number with a unit, such as 250ms 10s 5m 2h 1d",
		example: "10s",
	});
}

/** The shortest way to write a number of milliseconds as a duration: 90000 is 90s. */
export function durationText(ms: number): string {
	const fitting = Object.entries(UNIT_MS).filter(([, unit]) => ms % unit === 0);
	const [name, unit] = (ms > 0 && fitting.at(-1)) || ["ms", 1];
	return `${ms / unit}${name}`;
}

/** As `durationText`, of a wait that nobody times: in whole seconds, and beyond two minutes in whole minutes. */
export function roughDurationText(ms: number): string {
	const unit = ms > 2 * UNIT_MS.m ? UNIT_MS.m : UNIT_MS.s;
	return durationText(Math.ceil(ms / unit) * unit);
}

/** Bytes; throws `wrong-use` that names the flag. */
export function parseSize(text: string, flag: string): number {
	return parseUnits(text.toLowerCase(), UNIT_BYTES, {
		flag,
		thing: "a size",
		allowed: "a number with a unit, such as 512kb or 16mb",
		example: "16mb",
	});
}

function parseUnits(
	text: string,
	units: Record<string, number>,
	words: { flag: string; thing: string; allowed: string; example: string },
): number {
	const match = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text);
	const value = Number(match?.[1]) * (units[match?.[2] ?? ""] ?? Number.NaN);
	if (Number.isFinite(value)) return Math.round(value);
	throw new Fault("wrong-use", {
		what: `--${words.flag} ${JSON.stringify(text)} is not ${words.thing}`,
		why: `allowed: ${words.allowed}`,
		next: `--${words.flag} ${words.example}`,
	});
}
