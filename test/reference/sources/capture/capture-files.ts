// Capture files as a listener leaves them, and a server on a real socket that serves them again.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type Delivery,
	writeCaptureLine,
} from "../../../../src/captures/index.ts";
import {
	type CaptureOptions,
	openCaptureSource,
	openReferenceServer,
} from "../../../../src/reference/index.ts";
import { realClock } from "../../manual-clock.ts";
import { ask, type Json } from "../../wire-client.ts";

export const T0 = 1_700_000_000_000;

export const eventText = (eventId: string, more: Json = {}) =>
	JSON.stringify({
		eventId,
		name: "order.made",
		timestamp: "2026-01-02T03:04:05.123456+01:00",
		data: {},
		cursor: "theirs",
		...more,
	});

/** The line of a delivery that arrived so many milliseconds after T0. */
export function captureLine(
	body: string,
	atMs = 0,
	more: Partial<Delivery> = {},
): Buffer {
	const id = `cap_${Buffer.from(body).toString("hex").slice(-24)}_00000000_${atMs}`;
	return writeCaptureLine(id, {
		receivedAtMs: T0 + atMs,
		method: "POST",
		path: "/",
		headers: [],
		body: Buffer.from(body),
		verdict: { kind: "valid" },
		answer: { status: 204 },
		...more,
	});
}

export async function captureFolder(files: Record<string, Buffer[]>) {
	const folder = await mkdtemp(join(tmpdir(), "capture-source-"));
	for (const [name, lines] of Object.entries(files))
		await writeFile(join(folder, name), Buffer.concat(lines));
	return {
		folder,
		at: (name: string) => join(folder, name),
		[Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
	};
}

export async function openCaptureServer(
	paths: string[],
	more: Partial<CaptureOptions> = {},
) {
	const notes: string[] = [];
	const source = await openCaptureSource({
		paths,
		clock: realClock,
		speed: undefined,
		note: (text) => notes.push(text),
		...more,
	});
	const server = await openReferenceServer({
		sources: [source],
		clock: realClock,
		version: "0",
	});
	const poll = async (params: Json = {}): Promise<Json> => {
		const all = { name: "order.made", arguments: {}, ...params };
		const { result, error } = await ask(server.url, "events/poll", all);
		if (error) return { error };
		const ids = result.events.map((event: Json) => event.eventId);
		return { ...result, ids };
	};
	return {
		server,
		source,
		notes,
		poll,
		[Symbol.asyncDispose]: () => server.close(),
	};
}
