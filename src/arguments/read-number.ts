// Numbers as people write them: taken only where the JSON number that is sent is the very same number.

/** A number, or in words why the text is none that can be sent unchanged. */
export type NumberReading = { value: number } | { reason: string };

const JSON_NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/** Reads decimal text; exponents, negative zero and what a double would change are refused with the reason. */
export function readNumber(text: string): NumberReading {
	const parts = JSON_NUMBER.exec(text);
	if (!parts) return { reason: "it is not a number as JSON writes them" };
	if (parts[3])
		return { reason: "numbers with an exponent must be written out" };
	const value = Number(text);
	if (value === 0)
		return text.startsWith("-")
			? { reason: "negative zero would be sent as 0: write 0" }
			: { value };
	const reason = changeReason(text, value);
	return reason === undefined ? { value } : { reason };
}

function changeReason(text: string, value: number): string | undefined {
	const isWhole = !/[.]/.test(text);
	if (isWhole && !Number.isSafeInteger(value))
		return `whole numbers beyond ${Number.MAX_SAFE_INTEGER} lose digits on the way`;
	// Fifteen significant digits always survive a double; more of them have to be compared.
	const digits = text.replace(/[-.]/g, "").replace(/^0+/, "").length;
	if (digits <= 15 || plain(String(value)) === plain(text)) return undefined;
	return "it has more digits than a number keeps on the way";
}

const plain = (text: string) =>
	text.includes(".") ? text.replace(/\.?0+$/, "") : text;

const TOKENS =
	/"(?:[^"\\]|\\.)*"|(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)/gs;

/** The first number in valid JSON text that would not be sent as it stands, with its position and the reason. */
export function findChangedNumber(
	json: string,
): { text: string; position: number; reason: string } | undefined {
	for (const match of json.matchAll(TOKENS)) {
		const text = match[1];
		if (text === undefined) continue;
		const value = Number(text);
		const exponent = /[eE]/.test(text);
		const reason = !Number.isFinite(value)
			? "it is too large for a JSON number here"
			: Object.is(value, -0)
				? "negative zero would be sent as 0"
				: exponent
					? undefined
					: changeReason(text, value);
		if (reason) return { text, position: match.index + 1, reason };
	}
	return undefined;
}
