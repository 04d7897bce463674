// A port of 127.0.0.1 that nobody listens on, for a program that has to come back to the same one.
import { createServer } from "node:net";

export async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	if (address === null || typeof address === "string")
		throw new Error("no port");
	return address.port;
}

/**
 * Free ports, each another, from below those that the system gives to whoever asks for any: what is listened on later is
 * still free then.
 */
export async function quietPorts(count: number): Promise<number[]> {
	const ports: number[] = [];
	while (ports.length < count) {
		const port = 10_000 + Math.floor(Math.random() * 20_000);
		if (!ports.includes(port) && (await isFree(port))) ports.push(port);
	}
	return ports;
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
