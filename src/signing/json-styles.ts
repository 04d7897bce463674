// The ways in which programs write the same JSON again. Each gives other bytes, so a signature over one of them does
// not fit another.

/** One way of writing a body again, told in words. */
export interface Rewriting {
	style: string;
	text: string;
}

/** What is larger is not worth the time: every style writes the whole body once more. */
const MOST_BYTES = 1024 * 1024;
/** Indentation grows with the square of the depth. */
const MOST_DEPTH = 100;

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\],:"]+|[{}[\],:]/g;

const SPACINGS = [
	{ style: "compact", indent: undefined, comma: ",", colon: ":" },
	{
		style: 'spaces after "," and ":"',
		indent: undefined,
		comma: ", ",
		colon: ": ",
	},
	{ style: "indented by 2", indent: "  ", comma: ",", colon: ": " },
	{ style: "indented by 4", indent: "    ", comma: ",", colon: ": " },
	{ style: "indented by tabs", indent: "\t", comma: ",", colon: ": " },
] as const;
type Spacing = (typeof SPACINGS)[number];

const ESCAPINGS: { style: string; write: (json: string) => string }[] = [
	{ style: "", write: (json) => json },
	{
		style: "all but ASCII escaped",
		write: (json) => json.replace(/[\x7f-\uffff]/g, escapeUnit),
	},
	{ style: '"/" escaped', write: (json) => json.replaceAll("/", "\\/") },
	{
		style: '"<", ">" and "&" escaped',
		write: (json) => json.replace(/[<>&\u2028\u2029]/g, escapeUnit),
	},
	{ style: "written as UTF-8 without escapes", write: unescapeUnits },
];

const escapeUnit = (unit: string) =>
	`\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Every rewriting of a JSON text that differs from it; none where it is no JSON, or too large. */
export function* rewriteJson(body: Buffer): Generator<Rewriting> {
	if (body.length > MOST_BYTES) return;
	const written = body.toString("utf8");
	const seen = new Set([written]);
	for (const source of sourcesOf(written)) {
		const tokens = source.text.match(TOKEN) ?? [];
		for (const spacing of SPACINGS) {
			const spaced = space(tokens, spacing);
			for (const escaping of ESCAPINGS) {
				const text = escaping.write(spaced);
				if (seen.has(text)) continue;
				seen.add(text);
				const parts = [source.style, spacing.style, escaping.style];
				yield { style: parts.filter((part) => part !== "").join(", "), text };
			}
		}
	}
	const quoted = JSON.stringify(written);
	yield { style: "the whole text written as one JSON string", text: quoted };
}

function sourcesOf(written: string): Rewriting[] {
	try {
		const value: unknown = JSON.parse(written);
		return [
			{ style: "", text: written },
			{
				style: "parsed and written again by JavaScript",
				text: JSON.stringify(value),
			},
			{ style: "keys sorted", text: JSON.stringify(sortKeys(value, 0)) },
		];
	} catch {
		// No JSON, or nested too deep to be written again: there is nothing to try.
		return [];
	}
}

function sortKeys(value: unknown, depth: number): unknown {
	if (depth > MOST_DEPTH) throw new RangeError("nested too deep");
	if (Array.isArray(value))
		return value.map((item) => sortKeys(item, depth + 1));
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value).map(
		([key, member]) => [key, sortKeys(member, depth + 1)] as const,
	);
	return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function space(tokens: string[], { indent, comma, colon }: Spacing): string {
	const out: string[] = [];
	let depth = 0;
	const breakLine = () => {
		if (indent !== undefined) out.push("\n", indent.repeat(depth));
	};
	tokens.forEach((token, at) => {
		const isEmpty = /[}\]]/.test(tokens[at + 1] ?? "") && /^[{[]$/.test(token);
		const closesEmpty =
			/^[}\]]$/.test(token) && /^[{[]$/.test(tokens[at - 1] ?? "");
		if (/^[}\]]$/.test(token)) {
			depth--;
			if (!closesEmpty) breakLine();
		}
		out.push(token === "," ? comma : token === ":" ? colon : token);
		if (/^[{[]$/.test(token)) {
			depth++;
			if (!isEmpty) breakLine();
		} else if (token === ",") breakLine();
	});
	return out.join("");
}

function unescapeUnits(json: string): string {
	return json.replace(/\\(?:u([0-9a-fA-F]{4})|.)/g, (whole, hex?: string) => {
		if (hex === undefined) return whole;
		const code = Number.parseInt(hex, 16);
		// Control characters, quotes and backslashes have to stay escaped.
		return code < 0x80 ? whole : String.fromCharCode(code);
	});
}
