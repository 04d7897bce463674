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
