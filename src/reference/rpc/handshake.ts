// How a server introduces itself, in either era.
import {
	EXTENSION_ID,
	LEGACY_VERSIONS,
	METHODS,
	MODERN_VERSION,
} from "../../protocol/index.ts";
import { eraOfNotices } from "../profiles/profiles.ts";
import { invalidParams } from "../refusal.ts";
import type { Settings } from "../settings.ts";
import type { Era } from "./envelope.ts";

/** What the server declares to clients of an era, where its profile has it stand. */
function capabilitiesFor(era: Era, settings: Settings) {
	const { profile, hasTools } = settings;
	const events = {
		...(tellsListChanges(era, settings) && { listChanged: true }),
	};
	const isIn = (place: (typeof profile.capabilityPlaces)[number]) =>
		profile.capabilityPlaces.includes(place);
	return {
		...(hasTools && { tools: {} }),
		...(isIn("topLevel") && { events }),
		...(isIn("extensions") && { extensions: { [EXTENSION_ID]: events } }),
	};
}

/** Whether clients of an era are told of a catalogue that changes. */
export const tellsListChanges = (era: Era, settings: Settings) =>
	settings.isCatalogueLive && eraOfNotices(settings.profile) === era;

export const serverInfo = ({ version }: Settings) => ({
	name: "mcp-events",
	version,
});

/** The result of server/discover. */
export function discover(settings: Settings) {
	return {
		supportedVersions: [MODERN_VERSION],
		capabilities: capabilitiesFor("modern", settings),
		ttlMs: 60_000,
		cacheScope: "private",
	};
}

/** Results of the core protocol alone: an `initialize` client may refuse a member that it does not know in them. */
export function answerLegacy(
	method: string,
	params: Record<string, unknown>,
	settings: Settings,
) {
	if (method === METHODS.ping) return {};
	if (method !== METHODS.initialize) return undefined;
	return {
		protocolVersion: agreeOn(params.protocolVersion),
		capabilities: capabilitiesFor("legacy", settings),
		serverInfo: serverInfo(settings),
	};
}

/** The revision asked for, or else the newest that we know of that era. */
function agreeOn(asked: unknown): string {
	if (typeof asked !== "string")
		throw invalidParams("protocolVersion must be a string");
	return LEGACY_VERSIONS.find((known) => known === asked) ?? LEGACY_VERSIONS[0];
}
