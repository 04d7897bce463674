import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
	openCaptureSource,
	openDemoSource,
	openDirSource,
	openFileSource,
	openInboundSource,
	openReferenceServer,
	type Source,
} from "../../../src/reference/index.ts";
import { realClock } from "../manual-clock.ts";
import { ask, type Json, streamMessages, take } from "../wire-client.ts";
import {
	captureFolder,
	captureLine,
	eventText,
} from "./capture/capture-files.ts";

const base = { clock: realClock, epoch: "run" };
const serve = (sources: Source[], more = {}) =>
	openReferenceServer({ sources, clock: realClock, version: "0", ...more });

describe("several sources in one server", () => {
	it("offer their types side by side, each with its own events", async () => {
		await using place = await captureFolder({
			"a.ndjson": [captureLine(eventText("e1"))],
		});
		const at = (name: string) => join(place.folder, name);
		for (const folder of ["in", "out"]) await mkdir(at(folder));
		await writeFile(at("one.log"), "");
		const inbound = openInboundSource({
			...base,
			hooks: [{ name: "hook", scheme: "plain" }],
			host: "127.0.0.1",
		});
		const settleMs = 10;
		await using server = await serve(
			[
				openDemoSource({ ...base, seed: "1" }),
				await openFileSource({ ...base, path: at("one.log") }),
				await openFileSource({
					...base,
					path: at("two.log"),
					eventName: "two.line",
				}),
				await openDirSource({
					...base,
					path: at("in"),
					prefix: "in",
					settleMs,
				}),
				await openDirSource({
					...base,
					path: at("out"),
					prefix: "out",
					settleMs,
				}),
				await openCaptureSource({
					...base,
					paths: [at("a.ndjson")],
					speed: undefined,
				}),
				inbound,
			],
			{ routes: [inbound.route] },
		);
		const { result } = await ask(server.url, "events/list");
		expect(result.events.map((type: Json) => type.name)).toEqual([
			"clock.tick",
			"dice.rolled",
			"file.line",
			"two.line",
			"in.created",
			"in.changed",
			"in.removed",
			"out.created",
			"out.changed",
			"out.removed",
			"order.made",
			"hook",
		]);
		const streams = ["two.line", "in.created", "hook", "order.made"].map(
			(name) => streamMessages(server.url, { name }),
		);
		for (const stream of streams) await take(stream, 1);
		await appendFile(at("two.log"), "a line\n");
		for (const folder of ["out", "in"]) await writeFile(at(`${folder}/f`), "");
		await fetch(new URL("/inbound/hook", server.url), {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: '{"n":1}',
		});
		const data = [];
		for (const stream of streams) {
			const [{ params }] = await take(stream, 1);
			data.push([params.name, params.data]);
			await stream.return(undefined);
		}
		expect(data).toMatchObject([
			["two.line", { line: "a line" }],
			["in.created", { path: "f" }],
			["hook", { n: 1 }],
			["order.made", {}],
		]);
	});

	it("may not both have one name; the fault says which, and nothing stays open", async () => {
		await using place = await captureFolder({});
		let closed = 0;
		const openOne = async (): Promise<Source> => {
			const source = await openDirSource({ ...base, path: place.folder });
			return {
				...source,
				async close() {
					closed++;
					await source.close();
				},
			};
		};
		await expect(
			serve([await openOne(), await openOne()]),
		).rejects.toMatchObject({
			code: "wrong-use",
			what: "two sources offer the event type dir.created",
		});
		expect(closed).toBe(2);
	});
});
