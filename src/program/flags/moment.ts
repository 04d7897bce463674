// A moment as a user writes it: an ISO 8601 instant, Unix seconds, or an age before now.
import { Fault } from "../../faults/index.ts";
import { isInstant } from "../../protocol/index.ts";
import { parseDuration } from "./duration.ts";

/** Epoch milliseconds; throws `wrong-use` that names the flag. */
export function parseMoment(text: string, flag: string, nowMs: number): number {
	if (isInstant(text)) return Date.parse(text);
	if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)))
		return Date.parse(text);
	if (/^\d{9,11}$/.test(text)) return Number(text) * 1_000;
	if (/^\d+(\.\d+)?[a-z]+$/.test(text))
		return nowMs - parseDuration(text, flag);
	throw new Fault("wrong-use", {
		what: `--${flag} ${JSON.stringify(text)} is not a time`,
		why: "allowed: an ISO 8601 time with a zone, a date, Unix seconds, or an age such as 10m 2h 1d",
		next: `--${flag} 2h`,
	});
}
