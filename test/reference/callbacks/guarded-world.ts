// Callbacks as the server opens them, with a TLS endpoint of the test CA, and a count of every connection they dial.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
	type CallbackOptions,
	type Callbacks,
	openCallbacks,
} from "../../../src/reference/callbacks/index.ts";
import { Refusal } from "../../../src/reference/refusal.ts";
import { SECRET_TEXT } from "../../fixtures/deliveries.ts";
import { listen } from "../../fixtures/servers/listen.ts";
import { freePort } from "../../helpers/free-port.ts";
import { realClock } from "../manual-clock.ts";

const TLS = join(import.meta.dirname, "../../fixtures/tls");
export const readTls = (file: string) => readFileSync(join(TLS, file));
export const TEST_CA = readTls("ca.pem").toString();
/** In no special block; nobody dials it in a test. */
export const PUBLIC = "93.184.215.14";
export const LOOPBACK = ["127.0.0.0/8"];

export interface GuardedWorld {
	callbacks: Callbacks;
	/** `address:port` of every TCP connection that was begun. */
	dialled: string[];
}

/** Whatever address is dialled, the connection goes to 127.0.0.1: to the same port, or to the one given. */
export function makeGuarded(
	options: Partial<CallbackOptions> = {},
	toPort?: number,
): GuardedWorld {
	const dialled: string[] = [];
	const callbacks = openCallbacks({
		clock: realClock,
		randomBytes,
		ca: TEST_CA,
		dial({ address, port }) {
			dialled.push(`${address}:${port}`);
			return connect({ host: "127.0.0.1", port: toPort ?? port });
		},
		...options,
	});
	return { callbacks, dialled };
}

/** The same, closed with the test. */
export function openGuarded(
	options: Partial<CallbackOptions> = {},
	toPort?: number,
): GuardedWorld {
	const world = makeGuarded(options, toPort);
	onTestFinished(() => world.callbacks.close());
	return world;
}

/**
 * An https endpoint; its certificate is for localhost, 127.0.0.1 and ::1 unless `name` says another of the folder. No
 * other test has its port: callbacks that several tests share remember what they know of an origin.
 */
export async function openEndpoint(
	answer: RequestListener,
	name = "localhost",
) {
	const pair = { key: readTls(`${name}.key`), cert: readTls(`${name}.pem`) };
	const endpoint = await listen(answer, pair, await freePort());
	onTestFinished(endpoint.close);
	return {
		port: endpoint.port,
		url: (path: string) => `https://127.0.0.1:${endpoint.port}${path}`,
	};
}

/** A TCP listener that does nothing but count who comes. */
export async function openCounter(act: "hold" | "hang-up" = "hold") {
	const counter = { port: 0, connections: 0 };
	const open = new Set<{ destroy(): void }>();
	const server = createServer((socket) => {
		counter.connections += 1;
		open.add(socket);
		socket.on("error", () => {});
		if (act === "hang-up") socket.destroy();
	});
	counter.port = await portOf(server);
	onTestFinished(
		() =>
			new Promise<void>((resolve) => {
				for (const socket of open) socket.destroy();
				server.close(() => resolve());
			}),
	);
	return counter;
}

/** A server that answers whatever comes with bytes of the test's own, for each connection anew. */
export async function openPlain(act: (socket: Socket) => void) {
	const asked = newPromise();
	const left = newPromise();
	const server = createServer((socket) => {
		socket.on("error", () => {});
		socket.once("close", left.resolve);
		socket.once("data", () => {
			asked.resolve();
			act(socket);
		});
	});
	const port = await portOf(server);
	onTestFinished(() => void server.close());
	return {
		port,
		origin: `http://127.0.0.1:${port}`,
		/** Something came. */
		asked: asked.promise,
		/** A connection was closed. */
		left: left.promise,
	};
}

/** A promise and what fulfils it. */
export function newPromise() {
	let resolve = () => {};
	const promise = new Promise<void>((done) => {
		resolve = done;
	});
	return { promise, resolve: () => resolve() };
}

async function portOf(server: Server): Promise<number> {
	const port = await freePort();
	await new Promise<void>((resolve) =>
		server.listen(port, "127.0.0.1", resolve),
	);
	return port;
}

/** A port at which nothing listens, nor will. */
export const closedPort = freePort;

export const askFor = (url: string, principal = "ann") => ({
	url,
	principal,
	subscriptionId: "sub_1",
	secret: SECRET_TEXT,
});

export const postTo = (callbacks: Callbacks, url: string) =>
	callbacks.post({
		url,
		headers: { "content-type": "text/plain" },
		body: "hi",
	});

/** The refusal that a promise ends in, as a client would see it. */
export async function refusalOf(work: Promise<unknown>) {
	const error = await work.then(
		() => "no refusal",
		(thrown: unknown) => thrown,
	);
	if (!(error instanceof Refusal)) throw error;
	return { error: error.error, message: error.message, data: error.data };
}
