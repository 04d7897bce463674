// A public https address, as a reverse proxy or a tunnel service has one, on this machine: an address of its own, outside
// of what a guarded server refuses by name, and a certificate for whatever name leads there.

import { request as overHttp } from "node:http";
import { createServer, request as overHttps } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { onTestFinished } from "vitest";
import { makeSelfSigned } from "../../src/receiver/index.ts";

/** Any address of 127.0.0.0/8 leads to this machine, on Linux; this block is let through by flags of its own. */
export const FRONT_HOST = "127.66.0.1";
export const FRONT_BLOCK = "127.66.0.0/16";

export interface Front {
	port: number;
	/** What a sender must trust. */
	caPem: string;
	/** Requests so far. */
	readonly count: number;
}

/** Whether this machine lets us listen there; 443 takes rights that not everybody has. */
export function canFront(port: number): Promise<boolean> {
	const server = createTcpServer();
	return new Promise((resolve) => {
		server.once("error", () => resolve(false));
		server.listen({ host: FRONT_HOST, port }, () =>
			server.close(() => resolve(true)),
		);
	});
}

/** Passes each request on to where `target` leads just then, as it came, the host too; it ends with the test. */
export async function openFront(
	name: string,
	target: () => string,
	port = 0,
): Promise<Front> {
	const made = makeSelfSigned({ hosts: [name], now: Date.now(), days: 1 });
	let count = 0;
	const server = createServer(
		{ cert: made.certPem, key: made.keyPem },
		(incoming, outgoing) => {
			count++;
			const { protocol, hostname, port } = new URL(target());
			const { method, url: path, headers } = incoming;
			const send = protocol === "https:" ? overHttps : overHttp;
			const forwarded = send(
				// What is behind it proves itself by a certificate for this machine.
				{ hostname, port, method, path, headers, rejectUnauthorized: false },
				(answer) => {
					outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
					answer.pipe(outgoing);
				},
			);
			forwarded.on("error", () => {
				if (!outgoing.headersSent) outgoing.writeHead(502);
				outgoing.end();
			});
			outgoing.on("close", () => forwarded.destroy());
			incoming.pipe(forwarded);
		},
	);
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen({ host: FRONT_HOST, port }, resolve);
	});
	onTestFinished(
		() =>
			new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	);
	const address = server.address();
	if (address === null || typeof address === "string")
		throw new Error("it listens on a port");
	return {
		port: address.port,
		caPem: made.caPem,
		get count() {
			return count;
		},
	};
}
