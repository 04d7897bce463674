// Ports of 127.0.0.1 that nobody listens on, for programs that are told theirs or come back to the same one.
import { createServer } from "node:net";

// Below those that the system gives to whoever asks for any: what is listened on later is still free then. Above 10080,
// the last that fetch refuses.
const LOWEST = 11_000;
const HIGHEST = 29_999;
const given = new Set<number>();
/** Tests that run at the same time in other workers have other ports: most are listened on only some time later. */
const WORKERS = 16;
const OWN = Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS;
const OWN_PORTS = Math.floor((HIGHEST - LOWEST + 1) / WORKERS);

/** One that is free, never the same again in this process, and in no other worker. */
export async function freePort(): Promise<number> {
	for (;;) {
		const nth = Math.floor(Math.random() * OWN_PORTS);
		const port = LOWEST + nth * WORKERS + OWN;
		if (given.has(port)) continue;
		given.add(port);
		if (await isFree(port)) return port;
	}
}

async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	const isOpen = await new Promise<boolean>((resolve) => {
		server.once("error", () => resolve(false));
		server.listen(port, "127.0.0.1", () => resolve(true));
	});
	await new Promise((resolve) => server.close(resolve));
	return isOpen;
}
