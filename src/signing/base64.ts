// Base64 read strictly. Node's own decoder takes almost anything, so two texts would stand for one signature.

/** Standard base64 with its padding, written in the one way there is; undefined for anything else. */
export function decodeCanonical(text: string): Buffer | undefined {
	const bytes = Buffer.from(text, "base64");
	return bytes.toString("base64") === text ? bytes : undefined;
}

/** Base64 or base64url, padded or not; undefined where a character or the last bits belong to neither. */
export function decodeLoosely(text: string): Buffer | undefined {
	const standard = text.replaceAll("-", "+").replaceAll("_", "/");
	// Padding is left out or right: with it the length is a multiple of four.
	if (standard.includes("=") && standard.length % 4 !== 0) return undefined;
	const bare = standard.replace(/={1,2}$/, "");
	return decodeCanonical(bare.padEnd(Math.ceil(bare.length / 4) * 4, "="));
}
