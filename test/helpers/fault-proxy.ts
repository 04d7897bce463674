// A TCP proxy that does to connections what networks do on a bad day.
import { once } from "node:events";
import {
	type AddressInfo,
	connect,
	createServer,
	type Server,
	type Socket,
} from "node:net";

interface Pair {
	client: Socket;
	server: Socket;
	/** Nothing passes any more, and nobody is told. */
	isDead: boolean;
	/** What is held back of the server's answer. */
	held: Buffer[] | undefined;
}

/** From here to a port of 127.0.0.1. */
export class FaultProxy implements AsyncDisposable {
	/** New connections are taken, and swallowed. */
	isSwallowing = false;
	/** What the server sends as a stream of events is held back until it ends. */
	isBuffering = false;
	/** A connection on which nothing passed for so long is closed; undefined: none. */
	idleMs: number | undefined;
	readonly #target: number;
	readonly #pairs = new Set<Pair>();
	readonly #server: Server;

	constructor(target: number) {
		this.#target = target;
		this.#server = createServer((client) => this.#join(client));
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	/** How many connections are open on either side. */
	get connections(): number {
		return this.#pairs.size;
	}

	async listen(): Promise<void> {
		this.#server.listen(0, "127.0.0.1");
		await once(this.#server, "listening");
	}

	/** A cable is pulled: what is open stays open for both sides, and nothing passes, ever. */
	swallow(): void {
		this.isSwallowing = true;
		for (const pair of this.#pairs) pair.isDead = true;
	}

	/** The server's side is closed, the client's stays open and is not told. */
	halfOpen(): void {
		for (const pair of this.#pairs) {
			pair.isDead = true;
			pair.server.destroy();
		}
	}

	/** Closes every connection on both sides. */
	cut(): void {
		for (const { client, server } of this.#pairs) {
			client.destroy();
			server.destroy();
		}
	}

	async [Symbol.asyncDispose]() {
		this.cut();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	#join(client: Socket): void {
		const server = connect(this.#target, "127.0.0.1");
		const isDead = this.isSwallowing;
		const pair: Pair = { client, server, isDead, held: undefined };
		this.#pairs.add(pair);
		for (const [from, to] of [
			[client, server],
			[server, client],
		] as const) {
			from.on("data", (bytes) => this.#pass(bytes, { pair, from, to }));
			from.on("error", () => {});
			from.on("close", () => {
				for (const bytes of pair.held ?? []) client.write(bytes);
				if (!pair.isDead) to.end();
				if (from === client) server.destroy();
				if (client.destroyed) this.#pairs.delete(pair);
			});
		}
		this.#watch(pair);
	}

	#pass(
		bytes: Buffer,
		{ pair, from, to }: { pair: Pair; from: Socket; to: Socket },
	): void {
		if (pair.isDead) return;
		const isStream =
			from === pair.server && bytes.includes("text/event-stream");
		if (this.isBuffering && isStream) pair.held ??= [];
		if (pair.held && from === pair.server) {
			pair.held.push(bytes);
			return;
		}
		if (!to.write(bytes)) {
			from.pause();
			to.once("drain", () => from.resume());
		}
	}

	#watch({ client, server }: Pair): void {
		const { idleMs } = this;
		if (idleMs === undefined) return;
		client.setTimeout(idleMs, () => {
			client.destroy();
			server.destroy();
		});
	}
}

/** Opens one before a port; it ends with `await using`. */
export async function openFaultProxy(target: number): Promise<FaultProxy> {
	const proxy = new FaultProxy(target);
	await proxy.listen();
	return proxy;
}
