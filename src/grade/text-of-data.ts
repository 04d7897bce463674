// Data of a server as a text by which it is told from other data.
import { canonicalJson } from "../protocol/index.ts";

/** What is too deep to be told from other data is all the same. */
export function textOfData(data: unknown): string {
	try {
		return canonicalJson(data);
	} catch (error) {
		if (error instanceof RangeError) return "";
		throw error;
	}
}
