export type { Clock } from "./clock.ts";
export {
	type HttpOptions,
	openReferenceServer,
	type ReferenceServer,
} from "./http/open-server.ts";
export type { HttpRoute } from "./http/routes.ts";
export type { ReferenceOptions, ServedEras } from "./settings.ts";
export type { Source, SourceType } from "./source.ts";
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
export { openStdinSource, type StdinOptions } from "./sources/stdin.ts";
export { type StdioOptions, serveStdio } from "./stdio/serve-stdio.ts";
