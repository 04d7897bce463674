// Small local files that flags name, and stdin in their place: read with a clear fault, written whole.
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { addAbortSignal } from "node:stream";
import { Fault } from "../../faults/index.ts";
import type { World } from "../process/world.ts";

/** The text of a file that a flag names; `wrong-use` where it cannot be read. `next` says how to come by one. */
export async function readTextFile(
	path: string,
	flag: string,
	next?: string,
): Promise<string> {
	try {
		return await readFile(path, "utf8");
	} catch (cause) {
		throw new Fault("wrong-use", {
			what: `${flag} ${path} cannot be read`,
			why: cause instanceof Error ? cause.message : undefined,
			...(next === undefined ? {} : { next }),
			cause,
		});
	}
}

/** All of stdin. A signal that stops the program ends the wait: whoever writes there may never end. */
export async function readStdin({
	stdin,
	stop,
}: Pick<World, "stdin" | "stop">): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of addAbortSignal(stop, stdin))
		chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks);
}

/** The text that a flag's value stands for: itself, or what `@file` or `-` (stdin) hold. */
export async function readTextValue(
	value: string,
	flag: string,
	world: Pick<World, "stdin" | "stop">,
): Promise<string> {
	if (value.startsWith("@")) return readTextFile(value.slice(1), flag);
	if (value !== "-") return value;
	return (await readStdin(world)).toString("utf8");
}

/** Writes one JSON line for scripts that wait for it (--ready-file). */
export async function writeReadyFile(
	path: string,
	facts: Record<string, unknown>,
): Promise<void> {
	const line = `${JSON.stringify(facts)}\n`;
	// Whoever waits for the file must not find half of it. A device or a pipe stays what it is.
	const isPlain = await stat(path).then(
		(found) => found.isFile(),
		() => true,
	);
	const target = isPlain ? `${path}.${randomUUID()}` : path;
	try {
		await writeFile(target, line, { mode: 0o600 });
		if (isPlain) await rename(target, path);
	} catch (cause) {
		if (isPlain) await rm(target, { force: true });
		throw new Fault("file-failed", {
			what: `the ready file ${path} cannot be written`,
			why: cause instanceof Error ? cause.message : undefined,
			cause,
		});
	}
}

/** Writes a file that its owner alone can read, its folder too where there is none. */
export async function writePrivateText(
	path: string,
	text: string,
): Promise<void> {
	try {
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
		await writeFile(path, text, { mode: 0o600 });
	} catch (cause) {
		throw new Fault("file-failed", {
			what: `${path} cannot be written`,
			why: cause instanceof Error ? cause.message : undefined,
			cause,
		});
	}
}
