// The servers that share no code with ours, each as the grader is pointed at it.
import { fileURLToPath } from "node:url";
import type { GradeOptions } from "../../../src/grade/index.ts";
import {
	rawCatalogue,
	sdkCatalogue,
	stdioServer,
} from "../../fixtures/servers/catalogue.ts";
import { openRawOddities } from "../../fixtures/servers/raw-oddities.ts";
import { openSdk1Http } from "../../fixtures/servers/sdk1-http.ts";
import { openSdk2Http } from "../../fixtures/servers/sdk2-http.ts";
import { openWebhookHttp } from "../../fixtures/servers/webhook-http.ts";
import { openWebhookSender } from "../../fixtures/servers/webhook-sender.ts";
import { httpTarget } from "../../grade/grade-with.ts";
import { openLoadServer } from "../../helpers/load-server.ts";

export interface Far {
	target: GradeOptions["target"];
	options?: Partial<GradeOptions>;
	close(): Promise<void>;
}

type HttpServer = { url: string; close(): Promise<void> };

const SKETCH = { profile: "sketch" } as const;

async function overHttp(
	opening: Promise<HttpServer>,
	options: Partial<GradeOptions> = {},
	headers: [string, string][] = [],
): Promise<Far> {
	const { url, close } = await opening;
	return { target: httpTarget(url, headers), options, close };
}

async function overStdio(
	[command = "", ...args]: readonly string[],
	options: Partial<GradeOptions> = {},
): Promise<Far> {
	return {
		target: { kind: "stdio", command, args, env: process.env },
		options,
		close: async () => {},
	};
}

function script(name: string, ...args: string[]): string[] {
	const url = new URL(`../../fixtures/servers/${name}.mjs`, import.meta.url);
	return [process.execPath, fileURLToPath(url), ...args];
}

/** Somebody, for servers that look at nobody's credentials. */
const CREDENTIAL: [string, string][] = [["authorization", "Bearer any"]];

const PUBLIC = "https://hooks.example";
const EVERY_MS = 250;

/** Reaches the grader's callbacks by a public https address, as from outside. */
async function openSender(): Promise<Far> {
	let port = 0;
	const sender = await openWebhookSender({
		onlyHttps: true,
		reach: (url) => url.replace(PUBLIC, `http://127.0.0.1:${port}`),
	});
	const timer = setInterval(() => sender.emit(), EVERY_MS);
	const openPublicAddress = async (own: number) => {
		port = own;
		return { url: PUBLIC, [Symbol.asyncDispose]: async () => {} };
	};
	return {
		target: httpTarget(sender.url, CREDENTIAL),
		options: { receiver: { openPublicAddress } },
		async close() {
			clearInterval(timer);
			await sender.close();
		},
	};
}

async function openLoad(): Promise<Far> {
	const server = await openLoadServer();
	await server.control({ everyMs: EVERY_MS });
	return {
		target: httpTarget(`http://127.0.0.1:${server.port}/mcp`),
		close: async () => await server[Symbol.asyncDispose](),
	};
}

export const FAR: Record<string, () => Promise<Far>> = {
	"server 2.x over HTTP": () => overHttp(openSdk2Http()),
	"server 2.x over stdio": () =>
		overStdio(stdioServer("sdk2-stdio", sdkCatalogue()).command),
	"sdk 1.x over HTTP": () => overHttp(openSdk1Http(), SKETCH),
	"sdk 1.x over stdio": () =>
		overStdio(stdioServer("sdk1-stdio", sdkCatalogue()).command, SKETCH),
	"bare node:http": () => overHttp(openRawOddities()),
	"bare node:http, odd in every way that is legal": () =>
		overHttp(
			openRawOddities({
				oddities: [
					"crlf",
					"split-data",
					"comments",
					"ids",
					"retry",
					"bom",
					"no-space",
					"empty-data",
					"unknown-sse-fields",
					"pretty-body",
					"member-order",
					"escaped-keys",
					"unknown-fields",
					"charset",
					"upper-case-type",
					"sse-for-all",
				],
				cutBytes: 7,
			}),
		),
	"bare node:http, as the sketch had it": () =>
		overHttp(
			openRawOddities({
				oddities: [
					"no-result-type",
					"sketch-codes",
					"top-level-capability",
					"no-truncated",
					"no-has-more",
					"no-next-poll",
				],
			}),
			SKETCH,
		),
	"bare stdio": () =>
		overStdio(stdioServer("raw-stdio", rawCatalogue()).command),
	"push alone over stdio": () => overStdio(script("push-stdio")),
	"webhook subscriptions over HTTP": () =>
		overHttp(openWebhookHttp(), {}, CREDENTIAL),
	"webhook subscriptions over stdio": () => overStdio(script("webhook-stdio")),
	"webhooks signed by standardwebhooks": openSender,
	"a log by poll, push and webhook": openLoad,
	"an echo of 2026-07-28 over stdio": () =>
		overStdio(script("eras-stdio", "modern")),
	"an echo of initialize over stdio": () =>
		overStdio(script("eras-stdio", "legacy"), SKETCH),
};
