// Where subscriptions outlive the process, or do not. The records are the live ones: what changes in them is written on
// the next occasion.
import { rename } from "node:fs/promises";
import { Fault } from "../../faults/index.ts";
import { type Lock, lockHolder, takeLock } from "../../state/index.ts";
import type { Verification } from "../callbacks/index.ts";
import type { Clock } from "../clock.ts";
import type { StorePlace } from "./options.ts";
import type { SubscriptionRecord } from "./record.ts";
import { LogFile, readPrivateFile, storeFault } from "./store-file.ts";
import {
	contentText,
	emptyContent,
	endLine,
	positionLine,
	readContent,
	type StoreContent,
	subscriptionLine,
	verificationKey,
	verificationLine,
} from "./store-lines.ts";

export interface Store {
	/** Whether a restart finds again what was kept. */
	readonly isDurable: boolean;
	/** What was found at opening, and all that came since. */
	readonly content: StoreContent;
	/** Resolves once the subscription, and the consent that it rests on, are on disk. Rejects where they are not. */
	keep(
		record: SubscriptionRecord,
		verification?: Verification | undefined,
	): Promise<void>;
	/** Resolves once it is on disk that the subscription is over. */
	end(id: string): Promise<void>;
	/** The position of this record has changed: it is written within a second. */
	notePosition(record: SubscriptionRecord): void;
	/** Forgets what this run knows and takes up what is kept, as a new process would. */
	reload(): Promise<void>;
	/** Writes what is noted. */
	close(): Promise<void>;
}

interface StoreOptions {
	clock: Clock;
	note(text: string): void;
	randomBytes(size: number): Buffer;
}

const FLUSH_MS = 1_000;
/** As many as are remembered while the server runs. */
const MOST_CONSENTS = 10_000;

/** Keeps nothing beyond this run. */
export function createMemoryStore(): Store {
	const content = emptyContent();
	return {
		isDurable: false,
		content,
		reload: async () => {
			content.subscriptions.clear();
			content.verifications.clear();
		},
		keep: async () => {},
		end: async () => {},
		notePosition: () => {},
		close: async () => {},
	};
}

/**
 * Opens the store at a path, for this process alone. A damaged file is set aside and told; what can be read of it is
 * taken. Throws `file-failed`, also where another process has the store.
 */
export async function openStore(
	{ path, owner }: StorePlace,
	options: StoreOptions,
): Promise<Store> {
	const unique = options.randomBytes(6).toString("hex");
	const lock = await takeLock(`${path}.lock`, owner, { unique }).catch(
		(cause: unknown) => {
			throw storeFault(`the store ${path} cannot be locked`, cause);
		},
	);
	if (!lock) {
		const holder = (await lockHolder(`${path}.lock`)) ?? "another server";
		throw new Fault("file-failed", {
			what: `the store ${path} is in use`,
			why: `${holder} holds its lock, and two servers would send everything twice`,
			next: `stop that server, or remove ${path}.lock where it is gone, or name another file: --store PATH`,
		});
	}
	try {
		const text = await readPrivateFile(path);
		const { content, damaged } = readContent(text ?? "");
		if (damaged > 0) await setAside(path, unique, damaged, options);
		const store = new DiskStore({ path, lock, content }, options);
		await store.begin();
		return store;
	} catch (error) {
		await lock.release();
		throw error;
	}
}

async function setAside(
	path: string,
	unique: string,
	damaged: number,
	{ note }: StoreOptions,
): Promise<void> {
	const aside = `${path}.damaged-${unique}`;
	await rename(path, aside).catch((cause: unknown) => {
		throw storeFault(`the damaged store ${path} cannot be set aside`, cause);
	});
	note(
		`the store ${path} is damaged (${damaged} lines cannot be read); it was set aside as ${aside}, and what could be read of it is in use`,
	);
}

interface DiskParts {
	path: string;
	lock: Lock;
	content: StoreContent;
}

class DiskStore implements Store {
	readonly isDurable = true;
	readonly content: StoreContent;
	readonly #file: LogFile;
	readonly #parts: DiskParts;
	readonly #options: StoreOptions;
	readonly #moved = new Set<SubscriptionRecord>();
	#cancelFlush: (() => void) | undefined;

	constructor(parts: DiskParts, options: StoreOptions) {
		const { path, content } = parts;
		this.content = content;
		this.#parts = parts;
		this.#options = options;
		this.#file = new LogFile({
			path,
			wholeText: () => contentText(content),
		});
	}

	/** Begins with a file that has every line once. Throws `file-failed`. */
	async begin(): Promise<void> {
		const { path } = this.#parts;
		await this.#file.rewrite().catch((cause: unknown) => {
			throw storeFault(`the store ${path} cannot be written`, cause);
		});
	}

	async keep(record: SubscriptionRecord, verification?: Verification) {
		const { subscriptions, verifications } = this.content;
		const isNew = !subscriptions.has(record.id);
		subscriptions.set(record.id, record);
		let text = subscriptionLine(record);
		if (verification) {
			rememberConsent(verifications, verification, this.#options.clock.now());
			text += verificationLine(verification);
		}
		try {
			await this.#file.append(text);
		} catch (error) {
			if (isNew) subscriptions.delete(record.id);
			throw error;
		}
	}

	async end(id: string): Promise<void> {
		const { subscriptions } = this.content;
		const record = subscriptions.get(id);
		if (!record) return;
		subscriptions.delete(id);
		this.#moved.delete(record);
		await this.#file.append(endLine(id));
	}

	notePosition(record: SubscriptionRecord): void {
		this.#moved.add(record);
		this.#cancelFlush ??= this.#options.clock.setTimer(
			() => void this.#flush(),
			FLUSH_MS,
		);
	}

	async reload(): Promise<void> {
		await this.#flush();
		const text = await readPrivateFile(this.#parts.path);
		const { subscriptions, verifications } = readContent(text ?? "").content;
		this.#moved.clear();
		refill(this.content.subscriptions, subscriptions);
		refill(this.content.verifications, verifications);
	}

	async close(): Promise<void> {
		await this.#flush();
		await this.#file.close().catch(() => {});
		await this.#parts.lock.release();
	}

	async #flush(): Promise<void> {
		this.#cancelFlush?.();
		this.#cancelFlush = undefined;
		const { subscriptions } = this.content;
		const moved = [...this.#moved].filter(
			(record) => subscriptions.get(record.id) === record,
		);
		this.#moved.clear();
		// An older position than the true one costs repetitions and loses nothing: there is no hurry, and no harm.
		if (moved.length === 0) return;
		await this.#file
			.append(moved.map(positionLine).join(""))
			.catch((error: unknown) => {
				const { path } = this.#parts;
				this.#options.note(`positions cannot be kept in ${path}: ${error}`);
				for (const record of moved) this.#moved.add(record);
			});
	}
}

/** The one that was given first stands first: those that have run out, or are too many, are found without a search. */
function rememberConsent(
	consents: Map<string, Verification>,
	consent: Verification,
	now: number,
): void {
	const key = verificationKey(consent);
	consents.delete(key);
	consents.set(key, consent);
	for (const [oldest, { untilMs }] of consents) {
		if (untilMs > now && consents.size <= MOST_CONSENTS) break;
		consents.delete(oldest);
	}
}

function refill<V>(map: Map<string, V>, from: ReadonlyMap<string, V>): void {
	map.clear();
	for (const [key, value] of from) map.set(key, value);
}
