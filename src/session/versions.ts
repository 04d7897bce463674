// Protocol revisions: which both sides know.
import { Fault } from "../faults/index.ts";
import { LEGACY_VERSIONS, MODERN_VERSION } from "../protocol/index.ts";

const LISTED = 50;
const VERSION_CHARACTERS = 40;

/** The revisions in a server's list; empty where it is no list. */
export function readVersions(value: unknown): string[] {
	if (!Array.isArray(value)) return [];
	return value
		.filter((version) => typeof version === "string")
		.slice(0, LISTED);
}

/** The newest revision of a server's list that is spoken by `initialize`. */
export function newestLegacy(listed: string[]): string | undefined {
	return LEGACY_VERSIONS.find((version) => listed.includes(version));
}

/** Names both lists. */
export function noCommonVersion(listed: string[], method: string): Fault {
	const theirs = listed
		.map((version) => JSON.stringify(version.slice(0, VERSION_CHARACTERS)))
		.join(", ");
	return new Fault("version-unsupported", {
		what: "the server and this program know no protocol revision in common",
		why: `it answered ${method} with ${theirs === "" ? "no revision at all" : theirs}; we know ${[MODERN_VERSION, ...LEGACY_VERSIONS].join(", ")}`,
		next: "update whichever of the two is older",
	});
}
