// What makes a private file outlive a crash of the machine.
import { open } from "node:fs/promises";

const PRIVATE_FILE = 0o600;

/** Writes a file that is not there yet, for its owner alone; it is on disk once this resolves. */
export async function writeDurably(path: string, text: string): Promise<void> {
	const handle = await open(path, "wx", PRIVATE_FILE);
	try {
		await handle.writeFile(text);
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** Without this a crash of the machine can bring the old names back. Some systems cannot sync a folder. */
export async function syncFolder(folder: string): Promise<void> {
	const handle = await open(folder, "r").catch(() => undefined);
	await handle?.sync().catch(() => {});
	await handle?.close();
}
