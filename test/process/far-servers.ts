// The foreign servers in one form, whatever transport and SDK lie beneath: how to name them to the tool, what they
// emit, and the bytes that they sent.
import { readFileSync } from "node:fs";
import {
	rawCatalogue,
	sdkCatalogue,
	stdioServer,
} from "../fixtures/servers/catalogue.ts";
import { openRawOddities } from "../fixtures/servers/raw-oddities.ts";
import { openSdk1Http } from "../fixtures/servers/sdk1-http.ts";
import { openSdk2Http } from "../fixtures/servers/sdk2-http.ts";
import {
	SDK_EVENTS,
	VERBATIM_EVENTS,
	type VerbatimEvent,
} from "../fixtures/verbatim-events.ts";

export interface FarServer {
	/** What names the server before the event, and what follows after the flags. */
	before: string[];
	after: string[];
	events: readonly VerbatimEvent[];
	sentBytes(): Buffer;
	close(): Promise<void>;
}

interface HttpServer {
	url: string;
	sentBytes(): Buffer;
	close(): Promise<void>;
}

async function overHttp(
	opening: Promise<HttpServer>,
	events: readonly VerbatimEvent[],
): Promise<FarServer> {
	const server = await opening;
	return { ...server, before: [server.url], after: [], events };
}

async function overStdio(
	program: "sdk1-stdio" | "sdk2-stdio" | "raw-stdio",
): Promise<FarServer> {
	const isRaw = program === "raw-stdio";
	const catalogue = isRaw ? rawCatalogue() : sdkCatalogue();
	const { command, copyFile } = stdioServer(program, catalogue);
	return {
		before: [],
		after: ["--", ...command],
		events: isRaw ? VERBATIM_EVENTS : SDK_EVENTS,
		sentBytes: () => readFileSync(copyFile),
		close: async () => {},
	};
}

export const FAR_SERVERS = {
	"server 2.x over HTTP": () => overHttp(openSdk2Http(), SDK_EVENTS),
	"server 2.x over stdio": () => overStdio("sdk2-stdio"),
	"sdk 1.x over HTTP": () => overHttp(openSdk1Http(), SDK_EVENTS),
	"sdk 1.x over stdio": () => overStdio("sdk1-stdio"),
	"bare node:http": () => overHttp(openRawOddities(), VERBATIM_EVENTS),
	"bare stdio": () => overStdio("raw-stdio"),
};

export type FarServerName = keyof typeof FAR_SERVERS;
