// The --public-url flag: an address that other machines reach, to which paths are added.
import { Fault } from "../../faults/index.ts";

/** Throws `wrong-use` for what is no http or https URL, or has more than a path. */
export function checkPublicUrl(text: string | undefined): void {
	if (text === undefined || isHttpUrl(text)) return;
	throw new Fault("wrong-use", {
		what: `--public-url ${JSON.stringify(text)} is not an http or https URL without a query`,
		next: "--public-url https://HOST/",
	});
}

function isHttpUrl(text: string): boolean {
	if (!URL.canParse(text)) return false;
	const { protocol, search, hash } = new URL(text);
	return /^https?:$/.test(protocol) && search === "" && hash === "";
}
