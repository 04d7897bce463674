import { expect, it } from "vitest";
import { readRetryAfter } from "../../src/session/retry-after.ts";

const DATE = "Mon, 30 Nov 2026 15:00:00 GMT";
const LATER = "Mon, 30 Nov 2026 15:00:20 GMT";

it.each([
	["seconds", { "retry-after": " 2 " }, 2_000],
	[
		"a date, by the server's clock",
		{ "retry-after": LATER, date: DATE },
		20_000,
	],
	["a date that is over", { "retry-after": DATE, date: LATER }, 0],
	[
		"a date without a clock to hold it against",
		{ "retry-after": LATER },
		undefined,
	],
	["a wait beyond a day", { "retry-after": "999999999" }, 86_400_000],
	["a number that is none", { "retry-after": "-1" }, undefined],
	["nothing", {}, undefined],
] as [string, Record<string, string>, number | undefined][])(
	"reads %s",
	(_, headers, expected) => {
		expect(readRetryAfter((name) => headers[name])).toBe(expected);
	},
);
