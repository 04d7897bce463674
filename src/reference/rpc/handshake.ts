// How a server introduces itself, in either era.
import {
	EXTENSION_ID,
	LEGACY_VERSIONS,
	METHODS,
	MODERN_VERSION,
} from "../../protocol/index.ts";
import { invalidParams } from "../refusal.ts";
import type { Settings } from "../settings.ts";

const capabilities = { extensions: { [EXTENSION_ID]: {} } };

export const serverInfo = ({ version }: Settings) => ({
	name: "mcp-events",
	version,
});

/** The result of server/discover. */
export function discover() {
	return {
		supportedVersions: [MODERN_VERSION],
		capabilities,
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
		capabilities,
		serverInfo: serverInfo(settings),
	};
}

/** The revision asked for, or else the newest that we know of that era. */
function agreeOn(asked: unknown): string {
	if (typeof asked !== "string")
		throw invalidParams("protocolVersion must be a string");
	return LEGACY_VERSIONS.find((known) => known === asked) ?? LEGACY_VERSIONS[0];
}
