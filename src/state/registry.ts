// The webhook subscriptions that are ours: one private file for each, its secrets in another, and a lock that says who
// looks after it. Several processes share the folder; each file has one writer at a time.
import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../protocol/index.ts";
import { readJsonFile, writeJsonFile } from "./json-file.ts";
import { isLocked, type Lock, type Owner, takeLock } from "./lock.ts";
import {
	type ListedSubscription,
	readRecord,
	type SubscriptionFacts,
	type SubscriptionRecord,
} from "./subscription-record.ts";

export interface RegistryOptions {
	/** The state folder. */
	folder: string;
	owner: Owner;
	now: () => number;
	randomBytes: (size: number) => Buffer;
	/** Told of each damaged file that was set aside. */
	damaged: (text: string) => void;
}

/** A subscription that this process looks after. */
export interface Registered {
	readonly record: SubscriptionRecord;
	/** As they travel: `whsec_` and base64, the current one first. Never for a fault, a note or a log. */
	readonly secrets: readonly string[];
	/** Where a mark of how far its deliveries were shown may stand. */
	readonly markPath: string;
	/** Durable when it resolves. Calls are done one after the other. */
	update(changes: Partial<Omit<SubscriptionRecord, "key">>): Promise<void>;
	/** Durable when it resolves. */
	keepSecrets(secrets: readonly string[]): Promise<void>;
	/** Leaves it to others; the record stays. Never throws. */
	release(): Promise<void>;
}

export interface Registry {
	/** Oldest first. */
	list(): Promise<ListedSubscription[]>;
	/** Takes a subscription over, unless somebody else looks after it. */
	claim(key: string): Promise<Registered | undefined>;
	/** Registers a new one: the secrets first, so that no record is ever without them. */
	add(
		facts: SubscriptionFacts,
		secrets: readonly string[],
	): Promise<Registered>;
	secretsOf(key: string): Promise<readonly string[]>;
	/** Forgets one, its secrets too. False where somebody else looks after it. */
	remove(key: string): Promise<boolean>;
}

const KEY = /^[0-9a-f]{16}$/;
const RECORD_NAME = /^([0-9a-f]{16})\.json$/;

/** Opens the registry of a state folder; nothing is made before it is needed. */
export function openRegistry(options: RegistryOptions): Registry {
	const { now, owner } = options;
	const places = placesIn(options.folder);
	const unique = () => options.randomBytes(6).toString("hex");
	const reading = () => ({ unique: unique(), damaged: options.damaged });

	async function read(key: string): Promise<SubscriptionRecord | undefined> {
		const record = await readJsonFile(
			places.record(key),
			readRecord,
			reading(),
		);
		return record?.key === key ? record : undefined;
	}

	async function secretsOf(key: string): Promise<readonly string[]> {
		if (!KEY.test(key)) return [];
		const path = places.secrets(key);
		return (await readJsonFile(path, readSecrets, reading())) ?? [];
	}

	async function list(): Promise<ListedSubscription[]> {
		const names = await readdir(places.folder).catch(() => []);
		const keys = names.flatMap((name) => RECORD_NAME.exec(name)?.[1] ?? []);
		const listed: ListedSubscription[] = [];
		for (const key of keys) {
			const record = await read(key);
			if (!record) continue;
			const isHeld = await isLocked(places.lock(key), owner);
			listed.push({ record, isHeld });
		}
		return listed.sort((a, b) => a.record.createdAt - b.record.createdAt);
	}

	async function claim(key: string): Promise<Registered | undefined> {
		if (!KEY.test(key)) return undefined;
		const lock = await takeLock(places.lock(key), owner, {
			unique: unique(),
		});
		if (!lock) return undefined;
		// Read under the lock: whoever had it may have changed it last.
		const record = await read(key);
		if (record)
			return makeRegistered({
				record,
				secrets: await secretsOf(key),
				lock,
				places,
				unique,
			});
		await lock.release();
		return undefined;
	}

	async function add(facts: SubscriptionFacts, secrets: readonly string[]) {
		const key = options.randomBytes(8).toString("hex");
		const lock = await takeLock(places.lock(key), owner, {
			unique: unique(),
		});
		if (!lock) throw new Error("a random key is taken already");
		const record: SubscriptionRecord = {
			...facts,
			key,
			id: undefined,
			refreshBefore: undefined,
			cursor: undefined,
			createdAt: now(),
			lastSeenAt: undefined,
			endedAt: undefined,
		};
		const start = { record, secrets: [], lock, places, unique };
		const registered = makeRegistered(start);
		try {
			await registered.keepSecrets(secrets);
			await registered.update({});
		} catch (error) {
			await lock.release();
			throw error;
		}
		return registered;
	}

	async function remove(key: string): Promise<boolean> {
		if (!KEY.test(key)) return false;
		const lock = await takeLock(places.lock(key), owner, {
			unique: unique(),
		});
		if (!lock) return false;
		// The record first: secrets without a record are forgotten ones, a record without secrets is broken.
		for (const path of [
			places.record(key),
			places.secrets(key),
			places.mark(key),
		])
			await unlink(path).catch(() => {});
		await lock.release();
		return true;
	}

	return { list, claim, add, secretsOf, remove };
}

type Places = ReturnType<typeof placesIn>;

function placesIn(state: string) {
	const folder = join(state, "subscriptions");
	return {
		folder,
		record: (key: string) => join(folder, `${key}.json`),
		lock: (key: string) => join(folder, `${key}.lock`),
		mark: (key: string) => join(folder, `${key}.shown`),
		secrets: (key: string) => join(state, "secrets", `${key}.json`),
	};
}

function makeRegistered(start: {
	record: SubscriptionRecord;
	secrets: readonly string[];
	lock: Lock;
	places: Places;
	unique: () => string;
}): Registered {
	const { lock, places, unique } = start;
	let { record, secrets } = start;
	let last: Promise<void> = Promise.resolve();
	/** One write at a time, the newest value last. A failed one does not keep the next from being tried. */
	const inTurn = (write: () => Promise<void>) => {
		last = last.catch(() => {}).then(write);
		return last;
	};
	return {
		get record() {
			return record;
		},
		get secrets() {
			return secrets;
		},
		markPath: places.mark(record.key),
		update(changes) {
			record = { ...record, ...changes };
			return inTurn(() =>
				writeJsonFile(places.record(record.key), record, unique()),
			);
		},
		keepSecrets(changed) {
			secrets = [...changed];
			return inTurn(() =>
				writeJsonFile(places.secrets(record.key), { secrets }, unique()),
			);
		},
		async release() {
			await last.catch(() => {});
			await lock.release();
		},
	};
}

function readSecrets(value: unknown): string[] | undefined {
	if (!isRecord(value) || !Array.isArray(value.secrets)) return undefined;
	const { secrets } = value;
	return secrets.every((one) => typeof one === "string") ? secrets : undefined;
}
