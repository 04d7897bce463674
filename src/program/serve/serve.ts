// What `serve` does: opens the source, serves it over HTTP or stdio, and says where.
import { randomUUID } from "node:crypto";
import { EXIT_STATUSES, Fault, shellWord } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type { ReferenceOptions, Source } from "../../reference/index.ts";
import { writeReadyFile } from "../flags/files.ts";
import { PROGRAM } from "../process/program-name.ts";
import type { World } from "../process/world.ts";
import type { ServeOptions } from "./options.ts";

/** Serves until a signal, or the end of stdin with --stdio; returns the exit status. */
export async function runServe(
	options: ServeOptions,
	world: World,
	output: Output,
): Promise<number> {
	refuseContradictions(options);
	const { openReferenceServer, serveStdio } = await import(
		"../../reference/index.ts"
	);
	const shared: ReferenceOptions = {
		...options.served,
		sources: [await openSource(options, world, output)],
		clock: world,
		version: PROGRAM.version,
		note: (text) => output.note(text),
	};
	if (options.overStdio) {
		await serveStdio({
			...shared,
			input: world.stdin,
			output: world.stdout,
			signal: world.stop,
		});
	} else {
		await using server = await openReferenceServer({
			...shared,
			...options.http,
		});
		output.say(`serving ${options.source} at ${server.url}`);
		if (options.readyFile)
			await writeReadyFile(options.readyFile, {
				url: server.url,
				pid: world.pid,
			});
		await stopped(world.stop);
	}
	world.stop.throwIfAborted();
	return EXIT_STATUSES.done.status;
}

async function openSource(
	options: ServeOptions,
	world: World,
	output: Output,
): Promise<Source> {
	const reference = await import("../../reference/index.ts");
	const { bufferSize, seed, path } = options;
	const epoch = randomUUID().slice(0, 8);
	const note = (text: string) => output.say(text);
	if (options.source === "file" && path !== undefined)
		return reference.openFileSource({ path, clock: world, note });
	if (options.source === "stdin")
		return reference.openStdinSource({
			input: world.stdin,
			clock: world,
			epoch,
			bufferSize,
			note,
			eventName: options.eventName,
			idField: options.idField,
			timestampField: options.timestampField,
		});
	return reference.openDemoSource({ clock: world, seed, epoch, bufferSize });
}

function refuseContradictions({ source, path, overStdio }: ServeOptions): void {
	if (source === "file" && path === undefined)
		throw new Fault("wrong-use", {
			what: "serve file needs the PATH of the file to follow",
			why: "no PATH was given",
			next: "mcp-events serve file app.log",
		});
	if (source !== "file" && path !== undefined)
		throw new Fault("wrong-use", {
			what: `serve ${source} takes no PATH, but ${JSON.stringify(path)} was given`,
			why: "only serve file follows a file",
			next: `mcp-events serve file ${shellWord(path)}`,
		});
	if (source === "stdin" && overStdio)
		throw new Fault("wrong-use", {
			what: "serve stdin cannot be combined with --stdio",
			why: "stdin would carry both the events and the protocol",
			next: "leave --stdio out, or serve a file",
		});
}

function stopped(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		signal.addEventListener("abort", () => resolve(), { once: true });
	});
}
