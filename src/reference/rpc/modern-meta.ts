// What every request of the modern era must say of itself (base.md, Messages).
import { isRecord, META, MODERN_VERSION } from "../../protocol/index.ts";
import { Refusal } from "../refusal.ts";

/** Refuses a request without what each must carry, or of a revision that is not spoken. */
export function checkModernMeta(params: Record<string, unknown>): void {
	const meta = isRecord(params._meta) ? params._meta : {};
	const version = meta[META.protocolVersion];
	const missing = (key: string) =>
		new Refusal("InvalidParams", `params._meta lacks ${key}`, {
			httpStatus: 400,
		});
	if (typeof version !== "string") throw missing(META.protocolVersion);
	if (version !== MODERN_VERSION) throw versionUnsupported(version);
	if (!isRecord(meta[META.clientCapabilities]))
		throw missing(META.clientCapabilities);
}

/** The refusal that names the revisions spoken here. */
export function versionUnsupported(requested: unknown): Refusal {
	return new Refusal(
		"UnsupportedProtocolVersion",
		`this revision is not spoken here; ${MODERN_VERSION} is`,
		{ data: { supported: [MODERN_VERSION], requested }, httpStatus: 400 },
	);
}
