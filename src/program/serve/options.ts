// What the flags of `serve` say.
import type { ReferenceOptions } from "../../reference/index.ts";

export const SOURCES = ["demo", "file", "stdin"] as const;

export interface ServeOptions {
	source: (typeof SOURCES)[number];
	path: string | undefined;
	overStdio: boolean;
	http: {
		host: string;
		port: number;
		path: string;
		allowOrigins: string[];
		allowHosts: string[];
	};
	readyFile: string | undefined;
	seed: string;
	bufferSize: number;
	eventName: string | undefined;
	idField: string | undefined;
	timestampField: string | undefined;
	served: Pick<ReferenceOptions, "era" | "heartbeatMs" | "pollIntervalMs">;
}
