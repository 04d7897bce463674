// What SQLite answers in place of a result, whichever library asked it.

/** SQLite's result codes that this source tells apart. */
export const SQLITE = {
	error: 1,
	busy: 5,
	locked: 6,
	/** The folder of a WAL database may not be written, and nobody has the database open. */
	readonlyDirectory: 1544,
} as const;

export class SqliteFailure extends Error {
	override readonly name = "SqliteFailure";
	/** The extended result code. */
	readonly code: number;

	constructor(code: number, message: string) {
		super(message);
		this.code = code;
	}

	/** Somebody else has it locked for now. */
	get isBusy(): boolean {
		const primary = this.code & 0xff;
		return primary === SQLITE.busy || primary === SQLITE.locked;
	}
}

/** Runs a call of a library whose errors carry the result code in `member`. */
export function withFailures<Result>(
	member: "errcode" | "rawCode",
	call: () => Result,
): Result {
	try {
		return call();
	} catch (error) {
		const code =
			error instanceof Error && member in error
				? Object.getOwnPropertyDescriptor(error, member)?.value
				: undefined;
		const message = error instanceof Error ? error.message : String(error);
		throw new SqliteFailure(
			typeof code === "number" ? code : SQLITE.error,
			message,
		);
	}
}
