// A listener of this machine that nobody should ever call: it counts the connections that come all the same.
import { createServer, type Server } from "node:net";

export interface Canary {
	port: number;
	readonly dials: number;
	close(): Promise<void>;
}

/** Listens on a free port; undefined where this machine has no such address. */
export async function openCanary(host: string): Promise<Canary | undefined> {
	let dials = 0;
	const server: Server = createServer((socket) => {
		dials++;
		socket.on("error", () => {});
		socket.destroy();
	});
	const isOpen = await new Promise<boolean>((resolve) => {
		server.once("error", () => resolve(false));
		server.listen({ host, port: 0 }, () => resolve(true));
	});
	const address = server.address();
	if (!isOpen || address === null || typeof address === "string")
		return undefined;
	return {
		port: address.port,
		get dials() {
			return dials;
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
			}),
	};
}
