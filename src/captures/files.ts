// The files that captures are read from: which ones a path names, and the bytes that each has now.
import { createReadStream, type ReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../faults/index.ts";

/** Files as named, and the `.ndjson` files of folders by name. Throws `file-failed` where a path cannot be read. */
export async function listCaptureFiles(
	paths: readonly string[],
): Promise<string[]> {
	const files: string[] = [];
	for (const path of paths) {
		try {
			const isFolder = (await stat(path)).isDirectory();
			const names = isFolder ? (await readdir(path)).sort() : [];
			const inFolder = names.filter((name) => name.endsWith(".ndjson"));
			files.push(
				...(isFolder ? inFolder.map((name) => join(path, name)) : [path]),
			);
		} catch (error) {
			throw unreadable(path, error);
		}
	}
	return files;
}

/**
 * The bytes that a file has now. What is appended while they are read is left: replayed to a listener that writes the
 * very file, a capture would bring forth the next one for ever.
 */
export async function openAsOfNow(path: string): Promise<ReadStream> {
	const facts = await stat(path);
	// A pipe has no size.
	if (!facts.isFile()) return createReadStream(path);
	return createReadStream(path, { end: Math.max(0, facts.size - 1) });
}

/** Each chunk costs some waiting, whatever its size; what is found in one is shown when all of it is checked. */
const CHUNK_BYTES = 128 * 1024;

/**
 * The same, a chunk at a time, each in the memory of the one before: a stream takes new memory for each, which is given
 * back late, so that the peak would grow with the files. Throws `file-failed` where it cannot be read.
 */
export async function* readFileChunks(path: string): AsyncGenerator<Buffer> {
	try {
		await using file = await open(path);
		const facts = await file.stat();
		const size = facts.isFile() ? facts.size : Number.POSITIVE_INFINITY;
		const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
		for (let at = 0; at < size; ) {
			const most = Math.min(CHUNK_BYTES, size - at);
			const { bytesRead } = await file.read(chunk, 0, most);
			if (bytesRead === 0) return;
			yield chunk.subarray(0, bytesRead);
			at += bytesRead;
		}
	} catch (error) {
		throw unreadable(path, error);
	}
}

function unreadable(path: string, cause: unknown): Fault {
	return new Fault("file-failed", {
		what: `captures cannot be read from ${path}`,
		why: cause instanceof Error ? cause.message : String(cause),
		cause,
	});
}
