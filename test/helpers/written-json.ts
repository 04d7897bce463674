// JSON as a stranger may write it: any white space, escapes, spellings of numbers, nesting and repeated keys. It is made of
// tokens, so that the same text is known with and without its white space.
import fc from "fast-check";

/** Tokens, each with the white space before it. */
export type Written = { space: string; token: string }[];

/** The text as it was written. */
export const textOf = (written: Written): string =>
	written.map(({ space, token }) => space + token).join("");

/** The text without white space between its tokens. */
export const plainTextOf = (written: Written): string =>
	written.map(({ token }) => token).join("");

const space = fc.oneof(
	{ weight: 8, arbitrary: fc.constant("") },
	{ weight: 1, arbitrary: fc.constantFrom(" ", "\t", "\r", "  \t") },
);
const spaceWithLines = fc.oneof(
	{ weight: 8, arbitrary: fc.constant("") },
	{ weight: 1, arbitrary: fc.constantFrom(" ", "\n", "\r\n", "\t\r", "\n\n ") },
);

const NUMBERS = ["0", "-0", "1.0", "0.10", "1e400", "-1.5E-7", "1E+02"];
const HUGE = ["12345678901234567890", "0.1234567890123456789"];
const number = fc.oneof(
	fc.constantFrom(...NUMBERS, ...HUGE),
	fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);

/** One piece of a string, some of them longer than what was written needs. */
const piece = fc.oneof(
	fc.constantFrom("\\/", "\\u0041", "\\ud83d\\ude00", "\\ud800", '\\"', "\\\\"),
	fc.constantFrom(
		"é",
		"☕",
		"𝄞",
		"\u2028",
		"\u0085",
		"\u007f",
		"\\n",
		"[}",
		":,",
	),
	fc.stringMatching(/^[a-zA-Z0-9 {}:,/]{0,12}$/),
);
const string = fc
	.oneof(
		{
			weight: 30,
			arbitrary: fc.array(piece, { maxLength: 5 }).map((all) => all.join("")),
		},
		{ weight: 1, arbitrary: fc.nat(9).map((n) => "é".repeat(n * 10_000)) },
	)
	.map((inner) => `"${inner}"`);

const parts = (
	values: fc.Arbitrary<Written>,
	gap: fc.Arbitrary<string>,
	[open, close]: [string, string],
) =>
	fc
		.tuple(fc.array(values, { maxLength: 4 }), gap, gap)
		.map(([all, before, after]) => [
			{ space: before, token: open },
			...joined(all),
			{ space: after, token: close },
		]);

const joined = (all: Written[]): Written =>
	all.flatMap((one, at) =>
		at === 0 ? one : [{ space: "", token: "," }, ...one],
	);

const member = (
	key: fc.Arbitrary<string>,
	value: fc.Arbitrary<Written>,
	gap: fc.Arbitrary<string>,
): fc.Arbitrary<Written> =>
	fc
		.tuple(gap, key, gap, value)
		.map(([before, token, behind, value]) => [
			{ space: before, token },
			{ space: behind, token: ":" },
			...value,
		]);

function valueWith(gap: fc.Arbitrary<string>): fc.Arbitrary<Written> {
	const scalar = fc
		.tuple(
			gap,
			fc.oneof(number, string, fc.constantFrom("true", "false", "null")),
		)
		.map(([space, token]) => [{ space, token }]);
	const { value } = fc.letrec<{ value: Written }>((tie) => ({
		value: fc.oneof(
			{ depthSize: "small", withCrossShrink: true },
			scalar,
			parts(tie("value"), gap, ["[", "]"]),
			parts(member(string, tie("value"), gap), gap, ["{", "}"]),
		),
	}));
	return value;
}

/** The notification of an event, its members in any order, some of them twice, and its `params` alone. */
export function writtenEvent(lines: "one line" | "many lines") {
	const gap = lines === "one line" ? space : spaceWithLines;
	const value = valueWith(gap);
	const one = (key: string, text: fc.Arbitrary<string>) =>
		member(
			fc.constant(JSON.stringify(key)),
			fc.tuple(gap, text).map(([space, token]) => [{ space, token }]),
			gap,
		);
	const word = string.filter((text) => text !== '""');
	const members = fc.tuple(
		one("eventId", word),
		one("name", word),
		one(
			"timestamp",
			fc.constantFrom(
				'"2026-11-30T12:00:00Z"',
				'"2026-01-31T23:59:59.5+02:00"',
			),
		),
		one("cursor", fc.oneof(string, fc.constant("null"))),
		member(
			fc.constant('"data"'),
			parts(member(string, value, gap), gap, ["{", "}"]),
			gap,
		),
		member(
			string.filter((key) => !key.includes("\\")),
			value,
			gap,
		),
		one("eventId", word),
	);
	const params = members
		.chain((all) => fc.shuffledSubarray(all, { minLength: 7, maxLength: 7 }))
		.map((all) => [
			{ space: "", token: "{" },
			...joined(all),
			{ space: "", token: "}" },
		]);
	return params.map((params) => ({ params, text: notificationOf(params) }));
}

const notificationOf = (params: Written) =>
	`{"jsonrpc":"2.0","method":"notifications/events/event","params":${textOf(params)}}`;
