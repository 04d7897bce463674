// What is learned of a server before the first check: handshake, catalogue, controls. It is evidence of discovery, too.
import { EXTENSION_ID, isRecord } from "../protocol/index.ts";
import type { Profile } from "./catalogue/row.ts";
import type { Declared, Ground } from "./context.ts";
import { type Finding, skipped, untestable } from "./finding.ts";
import { openControls } from "./traffic/controls.ts";
import { type Listing, listTypes } from "./traffic/list-types.ts";
import { openSubjects } from "./traffic/subject.ts";
import { errorOf, resultOf, tellAnswer } from "./wire/answer.ts";
import type { Shaken } from "./wire/handshake.ts";
import { openTrail } from "./wire/trail.ts";
import type { Wire } from "./wire/wire.ts";

export interface GroundOptions {
	profile: Profile;
	arguments: ReadonlyMap<string, Record<string, unknown>>;
}

/** `wire` writes into the trail of discovery. */
export async function openGround(
	wire: Wire,
	shaken: Shaken,
	options: GroundOptions,
): Promise<Ground> {
	const listing = await listTypes(wire);
	const controls = await openControls(wire.withTrail(openTrail()));
	return {
		shaken,
		declared: readDeclared(shaken, options.profile),
		listing,
		controls,
		subjects: openSubjects(listing, options.arguments),
	};
}

/** The two places where the capability may stand (dialects.md, Profiles of the tool). */
export function readDeclared(
	{ capabilities }: Pick<Shaken, "capabilities">,
	profile: Profile,
): Declared {
	const all = isRecord(capabilities) ? capabilities : {};
	const extensions = isRecord(all.extensions) ? all.extensions : {};
	const inMap = extensions[EXTENSION_ID];
	const onTop = all.events;
	const value = profile === "final" ? inMap : (onTop ?? inMap);
	return {
		inMap,
		onTop,
		value,
		isDeclared: inMap !== undefined || onTop !== undefined,
		listChanged: isRecord(value) && value.listChanged === true,
	};
}

/** A server without the extension, that says so as it should: there is nothing to grade. */
export function isWithoutEvents({
	declared,
	listing,
}: Pick<Ground, "declared" | "listing">): boolean {
	const [first] = listing.pages;
	return !declared.isDeclared && errorOf(first)?.name === "MethodNotFound";
}

/** What stands before all scenarios but discovery (checks.yaml, gates); undefined where nothing does. */
export function gateOf(ground: Ground): Finding | undefined {
	const [first] = ground.listing.pages;
	if (isWithoutEvents(ground))
		return skipped("the server does not offer the extension");
	if (isListed(ground.listing)) return undefined;
	return untestable(
		{ kind: "answer", name: "events/list" },
		`it was answered with ${tellAnswer(first)}`,
		first,
	);
}

export function isListed({ pages }: Listing): boolean {
	return Array.isArray(resultOf(pages[0])?.events);
}
