// A folder that is watched and served on a real socket, and streams of what happens in it.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type DirOptions,
	openDirSource,
	openReferenceServer,
} from "../../../../src/reference/index.ts";
import { realClock } from "../../manual-clock.ts";
import { ask, type Json, streamMessages, take } from "../../wire-client.ts";

/** Long enough that what is done in one go is one change, short enough to wait for. */
export const SETTLE_MS = 40;

export async function makeFolder() {
	const folder = await realpath(await mkdtemp(join(tmpdir(), "dir-source-")));
	return {
		folder,
		at: (...parts: string[]) => join(folder, ...parts),
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}

export async function openDirServer(
	path: string,
	more: Partial<DirOptions> = {},
) {
	const notes: string[] = [];
	const source = await openDirSource({
		path,
		clock: realClock,
		epoch: "run",
		settleMs: SETTLE_MS,
		note: (text) => notes.push(text),
		...more,
	});
	const server = await openReferenceServer({
		sources: [source],
		clock: realClock,
		version: "0",
		// Streams are read message by message.
		heartbeatMs: 600_000,
	});
	const streams: AsyncGenerator<Json>[] = [];
	/** Resolves when the stream stands; gives the next events as they come. */
	const follow = async (name: string, args: Json = {}, cursor?: string) => {
		const params = { name, arguments: args, ...(cursor && { cursor }) };
		const messages = streamMessages(server.url, params);
		streams.push(messages);
		await take(messages, 1);
		return {
			messages,
			data: async (count: number) =>
				(await take(messages, count)).map(({ params }) => params.data),
			paths: async (count: number): Promise<string[]> =>
				(await take(messages, count)).map(({ params }) => params.data?.path),
		};
	};
	const poll = async (name: string, cursor = "v1.run.0", args: Json = {}) =>
		(await ask(server.url, "events/poll", { name, arguments: args, cursor }))
			.result;
	return {
		server,
		source,
		notes,
		follow,
		poll,
		async [Symbol.asyncDispose]() {
			for (const stream of streams) await stream.return(undefined);
			await server.close();
		},
	};
}
