export type { Access, AccessRule } from "./access.ts";
export type { Clock } from "./clock.ts";
export type { ChosenFlaw, Flaw } from "./flaws/flaw.ts";
export { FLAWS, parseFlaws } from "./flaws/table.ts";
export { isLoopback } from "./http/guard.ts";
export {
	type HttpOptions,
	openReferenceServer,
	type ReferenceServer,
} from "./http/open-server.ts";
export type { HttpRoute } from "./http/routes.ts";
export {
	PROFILES,
	type Profile,
	type ProfileName,
} from "./profiles/profiles.ts";
export type {
	ReferenceOptions,
	ServedEras,
	WebhookParts,
} from "./settings.ts";
export type { Source, SourceType } from "./source.ts";
export {
	type CaptureOptions,
	openCaptureSource,
} from "./sources/capture/capture.ts";
export { type DemoOptions, openDemoSource } from "./sources/demo.ts";
export { type DirOptions, openDirSource } from "./sources/dir/dir.ts";
export { type FileOptions, openFileSource } from "./sources/file.ts";
export {
	type InboundHook,
	type InboundOptions,
	type InboundSource,
	openInboundSource,
} from "./sources/inbound/inbound.ts";
export {
	INBOUND_SCHEMES,
	type InboundScheme,
} from "./sources/inbound/schemes.ts";
export {
	SQLITE_PRESETS,
	type SqliteOptions,
	type SqlitePreset,
} from "./sources/sqlite/options.ts";
export { openSqliteSource } from "./sources/sqlite/sqlite.ts";
export {
	TIMESTAMP_FORMATS,
	type TimestampFormat,
} from "./sources/sqlite/timestamps.ts";
export { openStdinSource, type StdinOptions } from "./sources/stdin.ts";
export { type StdioOptions, serveStdio } from "./stdio/serve-stdio.ts";
