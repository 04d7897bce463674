// What the server lists, while its events are followed: whether a type can still be had, and by which modes.
import { Fault } from "../faults/index.ts";
import { canonicalJson, type Descriptor } from "../protocol/index.ts";
import { listEventTypes, type Session } from "../session/index.ts";
import { commonModes } from "./choose-mode.ts";
import type { Follow, Pieces } from "./follow.ts";
import type { Subscription } from "./item.ts";
import { listenForChanges } from "./list-changes.ts";
import { retryDelayMs } from "./retry.ts";
import { pause } from "./wait.ts";

/**
 * Lists again after an ending. undefined: it can be subscribed to again, or it could not be found out; else the fault
 * that ends it for good.
 */
export type Relist = (
	follow: Follow,
	ending: Fault,
) => Promise<Fault | undefined>;

/** Throws the fault of arguments that do not fit a type. */
export type CheckArguments = (
	type: Descriptor,
	subscription: Subscription,
) => Promise<void>;

export interface CatalogueOptions {
	session: Session;
	follows: readonly Follow[];
	pieces: Pieces;
	checkArguments: CheckArguments | undefined;
	/** From one list to the next where the server tells of no changes; undefined: it is not watched. */
	listEveryMs: number | undefined;
}

/** A server that is being deployed may list a type a moment later. */
const LISTS = 3;

type Types = ReadonlyMap<string, Descriptor>;

export class Catalogue {
	readonly #options: CatalogueOptions;
	readonly #names: ReadonlySet<string>;
	/** What was listed of each type last. */
	#known: Map<string, string | undefined> | undefined;
	#current: Promise<Types> | undefined;
	#next: Promise<Types> | undefined;

	constructor(options: CatalogueOptions) {
		this.#options = options;
		this.#names = new Set(
			options.follows.map(({ subscription }) => subscription.name),
		);
	}

	readonly relist: Relist = async (follow, ending) => {
		const { pieces } = this.#options;
		const { name } = follow.subscription;
		for (let lists = 1; ; lists++) {
			const types = await this.#listQuietly();
			if (types instanceof Fault) return types.isTransient ? undefined : types;
			const type = types?.get(name);
			if (!types || pieces.signal.aborted) return undefined;
			if (type) return this.#refit(type, follow);
			if (lists === LISTS) return gone(name, ending);
			const { retry } = follow;
			const how = { retry, fault: undefined };
			await pause(retryDelayMs(lists, how, pieces.random), pieces);
		}
	};

	/** Until the signal aborts: listed again when the server tells of a change, or from time to time. */
	async watch(): Promise<void> {
		const { session, pieces, listEveryMs } = this.#options;
		const { signal } = pieces;
		if (listEveryMs === undefined) return;
		await this.#compare();
		if (session.server.events?.listChanged && session.server.era === "modern")
			await listenForChanges(session, pieces, () => this.#compare());
		while (!signal.aborted) {
			await pause(listEveryMs, pieces);
			if (!signal.aborted) await this.#compare();
		}
	}

	async #compare(): Promise<void> {
		const types = await this.#listQuietly();
		if (types instanceof Fault || !types) return;
		const before = this.#known;
		this.#known = new Map();
		for (const name of this.#names)
			this.#known.set(name, shapeOf(types.get(name)));
		if (!before) return;
		for (const follow of this.#options.follows) {
			const { name } = follow.subscription;
			if (before.get(name) !== this.#known.get(name))
				await this.#tellChange(types.get(name), follow);
		}
	}

	/** Whoever follows it goes on: the server itself ends what can no longer be had. */
	async #tellChange(
		type: Descriptor | undefined,
		follow: Follow,
	): Promise<void> {
		const { pieces } = this.#options;
		const { label } = follow.subscription;
		if (!type) {
			pieces.warn(`${label}: the server no longer lists it`);
			return;
		}
		pieces.note(`${label}: the server has changed its type`);
		const fault = await this.#refit(type, follow);
		if (fault) pieces.warn(`${label}: ${fault.what}`);
	}

	/** Checks the arguments against what is listed now, and takes over the modes. */
	async #refit(type: Descriptor, follow: Follow): Promise<Fault | undefined> {
		const { checkArguments, pieces } = this.#options;
		try {
			await checkArguments?.(type, follow.subscription);
		} catch (error) {
			if (error instanceof Fault) return error;
			throw error;
		}
		const { delivery, name } = type;
		const modes = follow.isFree
			? commonModes(delivery, follow.canReceive)
			: follow.modes.filter((mode) => delivery.includes(mode));
		if (modes.length === 0)
			return new Fault("mode-not-offered", {
				what: `the server no longer offers ${name} by ${follow.modes.join(" or ")}`,
				why: `events/list reports delivery [${delivery.join(", ")}]`,
			});
		const rank = modes.indexOf(follow.via);
		follow.modes = modes;
		follow.canLeave = rank >= 0 && rank < modes.length - 1;
		if (rank > 0) follow.probeAt ??= pieces.now();
		return undefined;
	}

	async #listQuietly(): Promise<Types | Fault | undefined> {
		try {
			return await this.#list();
		} catch (error) {
			if (error instanceof Fault) return error;
			if (this.#options.pieces.signal.aborted) return undefined;
			throw error;
		}
	}

	/** A list that begins after it was asked for; all who ask while another is under way share the next. */
	#list(): Promise<Types> {
		this.#next ??= (this.#current ?? Promise.resolve())
			.catch(() => {})
			.then(() => {
				this.#next = undefined;
				this.#current = this.#walk();
				return this.#current;
			});
		return this.#next;
	}

	async #walk(): Promise<Types> {
		const { session, pieces } = this.#options;
		const types = new Map<string, Descriptor>();
		const { signal } = pieces;
		const odd = (what: string) => pieces.note(what);
		for await (const page of listEventTypes(session, { signal, odd }))
			for (const type of page)
				if (this.#names.has(type.name) && !types.has(type.name))
					types.set(type.name, type);
		return types;
	}
}

/** What of a type matters to whoever follows it. */
function shapeOf(type: Descriptor | undefined): string | undefined {
	if (!type) return undefined;
	const { delivery, inputSchema } = type;
	return canonicalJson([[...delivery].sort(), inputSchema]);
}

function gone(name: string, ending: Fault): Fault {
	if (ending.code === "terminated") return ending;
	return new Fault("terminated", {
		what: `the server no longer has ${name}`,
		why: [ending.why ?? ending.what, "events/list no longer lists it"].join(
			"; ",
		),
		next: "see what it offers now: mcp-events list SERVER",
	});
}
