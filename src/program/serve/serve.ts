// What `serve` does: opens the sources, serves them over HTTP or stdio, and says where.
import { randomUUID } from "node:crypto";
import { EXIT_STATUSES } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type { HttpOptions, ReferenceOptions } from "../../reference/index.ts";
import { readTextFile, writeReadyFile } from "../flags/files.ts";
import { PROGRAM } from "../process/program-name.ts";
import type { World } from "../process/world.ts";
import { dangersOf } from "./dangers.ts";
import { readDeliveryOptions } from "./delivery-options.ts";
import { openSources } from "./open-sources.ts";
import type { ServeOptions } from "./options.ts";
import { readServeOptions, type ServeWords } from "./read-options.ts";
import { readTokens } from "./tokens.ts";

/** Serves until a signal, or the end of stdin with --stdio; returns the exit status. */
export async function runServe(
	words: ServeWords,
	world: World,
	output: Output,
): Promise<number> {
	const options = await readServeOptions(words);
	const reference = await import("../../reference/index.ts");
	const flaws = reference.parseFlaws(options.faults);
	const http = options.overStdio
		? undefined
		: await readHttpOptions(options, world);
	output.hide((http?.tokens ?? []).map(({ token }) => token));
	for (const danger of dangersOf(options, reference.isLoopback))
		output.warn(danger);
	const { sources, routes } = await openSources(options.sources, {
		world,
		clock: world,
		epoch: randomUUID().slice(0, 8),
		host: options.http.host,
		note: (text) => output.say(text),
	});
	const shared: ReferenceOptions = {
		...options.served,
		flaws,
		sources,
		clock: world,
		version: PROGRAM.version,
		note: (text) => output.note(text),
	};
	if (http)
		await serveHttp({ ...shared, ...http, routes }, options, world, output);
	else
		await reference.serveStdio({
			...shared,
			input: world.stdin,
			output: world.stdout,
			signal: world.stop,
		});
	world.stop.throwIfAborted();
	return EXIT_STATUSES.done.status;
}

async function serveHttp(
	options: HttpOptions,
	{ sources, readyFile }: ServeOptions,
	world: World,
	output: Output,
): Promise<void> {
	const { openReferenceServer } = await import("../../reference/index.ts");
	await using server = await openReferenceServer(options);
	const kinds = sources.map(({ kind }) => kind).join(", ");
	output.say(`serving ${kinds} at ${server.url}`);
	if (readyFile)
		await writeReadyFile(readyFile, { url: server.url, pid: world.pid });
	await stopped(world.stop);
}

async function readHttpOptions(
	options: ServeOptions,
	world: World,
): Promise<Omit<HttpOptions, keyof ReferenceOptions>> {
	const { tls, ...http } = options.http;
	const tokens = await readTokens(options.tokens, world);
	return {
		...http,
		tokens,
		...(tokens.length > 0 && {
			delivery: await readDeliveryOptions(options, world),
		}),
		...(tls && {
			tls: {
				cert: await readTextFile(tls.cert, "--tls-cert"),
				key: await readTextFile(tls.key, "--tls-key"),
			},
		}),
	};
}

function stopped(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		signal.addEventListener("abort", () => resolve(), { once: true });
	});
}
