// A database file that other programs write, and may replace. It is opened for a look, read in one transaction, and
// closed again: a handle that stayed open would keep the writers' log (-wal) from going away with the last of them, and
// the log would then be taken for that of a file which is moved into place. It is only ever opened through SQLite:
// closing a handle of our own on it would take away the locks that SQLite holds in this process.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Fault } from "../../../faults/index.ts";
import { type Clock, repeat } from "../../clock.ts";
import { createWakers } from "../../wakers.ts";
import { openChangeWatch, readSignature, statFile } from "./change-watch.ts";
import type { SqliteConnection, SqliteDriver } from "./driver.ts";
import { type CursorForm, fileIdentity } from "./place.ts";
import type { MakePlan, Plan } from "./plan.ts";
import { SQLITE, SqliteFailure } from "./sqlite-failure.ts";
import { createTrouble, type Trouble } from "./trouble.ts";

export interface FollowOptions {
	file: string;
	cursorForm: CursorForm;
	clock: Clock;
	intervalMs: number;
	note: (text: string) => void;
	driver: SqliteDriver;
	makePlan: MakePlan;
}

/** What stands at the path, for as long as a look takes. */
export interface OpenDatabase {
	/** The file as cursors name it. */
	readonly file: string;
	readonly connection: SqliteConnection;
	readonly plan: Plan;
}

/** A file's times may have steps so wide: for so long after a change each interval wakes all. */
const UNSURE_MS = 2_500;
const OPEN_ATTEMPTS = 3;
const FIRST_ATTEMPTS = 20;

export class FollowedDatabase {
	readonly #options: FollowOptions;
	readonly #wakers = createWakers();
	readonly #trouble: Trouble;
	#known: { state: string; plan: Plan } | undefined;
	#signature = "";
	#changedAt = 0;
	#stop = () => {};

	constructor(options: FollowOptions) {
		this.#options = options;
		this.#trouble = createTrouble(options);
	}

	/** Looks for the first time; throws a Fault where that cannot be done. Waits a moment for a lock to go. */
	async start(): Promise<void> {
		const { clock, file, intervalMs } = this.#options;
		for (let attempt = 1; !this.#canLook(attempt); attempt++)
			await new Promise<void>((done) => clock.setTimer(done, intervalMs));
		this.#signature = readSignature(file);
		const stopTimer = repeat(clock, intervalMs, () => this.#tick());
		const stopWatch = openChangeWatch(file, clock, () => this.#tick());
		this.#stop = () => {
			stopTimer();
			stopWatch();
		};
	}

	/**
	 * Does something with what stands at the path now, in one read transaction. undefined: it is locked, or missing, or
	 * not what it was; `watch` tells when to try again.
	 */
	use<Result>(task: (database: OpenDatabase) => Result): Result | undefined {
		try {
			const result = this.#look(task);
			this.#trouble.end();
			return result;
		} catch (error) {
			if (!(error instanceof SqliteFailure) && !(error instanceof Fault))
				throw error;
			this.#trouble.take(error);
			return undefined;
		}
	}

	watch(wake: () => void): () => void {
		return this.#wakers.add(wake);
	}

	close(): void {
		this.#stop();
	}

	#canLook(attempt: number): boolean {
		try {
			this.#look(() => {});
			return true;
		} catch (error) {
			if (!(error instanceof SqliteFailure)) throw error;
			if (error.isBusy && attempt < FIRST_ATTEMPTS) return false;
			throw new Fault("file-failed", {
				what: `the database ${this.#options.file} cannot be read`,
				why: error.message,
				cause: error,
			});
		}
	}

	#look<Result>(task: (database: OpenDatabase) => Result): Result {
		const { file, cursorForm } = this.#options;
		for (let attempt = 0; attempt < OPEN_ATTEMPTS; attempt++) {
			const facts = this.#stat();
			const identity = fileIdentity(facts, "v2");
			const connection = this.#connect();
			try {
				// Which of two files was opened cannot be told where one took the other's place meanwhile.
				if (fileIdentity(this.#stat(), "v2") !== identity) continue;
				return inTransaction(connection, () =>
					task({
						file: fileIdentity(facts, cursorForm),
						connection,
						plan: this.#planFor(identity, connection),
					}),
				);
			} finally {
				connection.close();
			}
		}
		throw new Fault("file-failed", {
			what: `${file} is replaced again and again`,
		});
	}

	#stat() {
		const { file } = this.#options;
		const facts = statFile(file);
		if (facts?.isFile()) return facts;
		throw new Fault("file-failed", {
			what: facts
				? `${file} is no regular file`
				: `there is no database ${file}, or it may not be looked at`,
			next: "name the database file of the program that writes it",
		});
	}

	#connect(): SqliteConnection {
		const { driver, file } = this.#options;
		const uri = pathToFileURL(resolve(file)).href;
		let connection: SqliteConnection | undefined;
		try {
			connection = driver.open(`${uri}?mode=ro`);
			connection.rows("SELECT 1 FROM sqlite_schema LIMIT 1");
			return connection;
		} catch (error) {
			connection?.close();
			const isShut =
				error instanceof SqliteFailure &&
				error.code === SQLITE.readonlyDirectory &&
				!statFile(`${file}-wal`)?.size;
			if (!isShut) throw error;
		}
		// Nobody has it open (there would be a -shm to join), and in this folder we may not be the first: what is in the
		// file is all there is.
		return driver.open(`${uri}?mode=ro&immutable=1`);
	}

	/** One plan for as long as the tables are what they were. */
	#planFor(identity: string, connection: SqliteConnection): Plan {
		const [row] = connection.rows("PRAGMA schema_version");
		const state = `${identity}/${row?.[0]}`;
		if (this.#known?.state !== state) {
			const { plan } = this.#options.makePlan(connection);
			this.#known = { state, plan };
		}
		return this.#known.plan;
	}

	/** Wakes whoever waits where the files were written, the database is another, or can be read again. */
	#tick(): void {
		const { clock, file } = this.#options;
		const signature = readSignature(file);
		if (signature !== this.#signature) {
			this.#signature = signature;
			this.#changedAt = clock.now();
		}
		if (this.#trouble.isOn && this.use(() => true)) this.#wakers.wakeAll();
		else if (clock.now() - this.#changedAt < UNSURE_MS) this.#wakers.wakeAll();
	}
}

function inTransaction<Result>(
	connection: SqliteConnection,
	task: () => Result,
): Result {
	connection.run("BEGIN");
	try {
		return task();
	} finally {
		// Nothing was written. Closing would end it too, but with libsql only a moment later.
		endQuietly(connection);
	}
}

/** After some failures SQLite has ended the transaction itself. */
function endQuietly(connection: SqliteConnection): void {
	try {
		connection.run("ROLLBACK");
	} catch (error) {
		if (!(error instanceof SqliteFailure)) throw error;
	}
}
