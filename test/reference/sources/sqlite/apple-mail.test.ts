import { describe, expect, it } from "vitest";
import { findProblems } from "../../../../src/arguments/index.ts";
import {
	createDatabase,
	HAS_SQLITE3,
	openReader,
} from "../../sqlite-database.ts";

/** As Mail of macOS 14 to 26 has them, less the columns that nobody here reads. */
const SCHEMA = `PRAGMA journal_mode=wal;
	CREATE TABLE addresses (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, address TEXT COLLATE NOCASE NOT NULL, comment TEXT COLLATE BINARY NOT NULL, UNIQUE(address, comment) ON CONFLICT ABORT);
	CREATE TABLE subjects (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, subject TEXT COLLATE RTRIM NOT NULL, UNIQUE(subject) ON CONFLICT ABORT);
	CREATE TABLE mailboxes (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT COLLATE BINARY NOT NULL, total_count INTEGER NOT NULL DEFAULT 0, UNIQUE(url) ON CONFLICT ABORT);
	CREATE TABLE labels (message_id INTEGER, mailbox_id INTEGER, PRIMARY KEY(message_id, mailbox_id)) WITHOUT ROWID;
	CREATE TABLE messages (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, message_id INTEGER NOT NULL DEFAULT 0, global_message_id INTEGER NOT NULL DEFAULT 0,
		sender INTEGER, subject_prefix TEXT COLLATE BINARY, subject INTEGER NOT NULL, summary INTEGER, date_sent INTEGER, date_received INTEGER, mailbox INTEGER NOT NULL,
		flags INTEGER NOT NULL DEFAULT 0, read INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0, size INTEGER NOT NULL DEFAULT 0);
	INSERT INTO addresses VALUES (1, 'ada@example.com', 'Ada L.'), (2, 'Bob@sub.Example.com', ''), (3, 'eve@badexample.com', 'Eve');
	INSERT INTO subjects VALUES (1, 'Hello'), (2, 'Invoice');
	INSERT INTO mailboxes (ROWID, url) VALUES (1, 'imap://9F3E/INBOX'), (2, 'imap://9F3E/%5BGmail%5D/Sent%20Mail'),
		(3, 'imap://9F3E/%5BGmail%5D/All%20Mail'), (4, 'ews://77/Deleted%20Items'), (5, 'imap://9F3E/Work/Bills');`;

const mail = (sender: number, mailbox: number, more = "") =>
	`INSERT INTO messages (sender, mailbox, subject_prefix, subject, date_received, date_sent) VALUES (${sender}, ${mailbox}, 'Re: ', 1, 1790856000, 1790855990); ${more}`;

const rowids = ({ rows }: { rows: Record<string, unknown>[] }) =>
	rows.map(({ rowid }) => rowid);

async function openMail(more = {}) {
	const { file, sql } = createDatabase(SCHEMA);
	const reader = await openReader({ file, preset: "apple-mail", ...more });
	return { ...reader, sql };
}

describe.skipIf(!HAS_SQLITE3)(
	"mail that comes in (skipped without sqlite3)",
	() => {
		it("is told by its envelope, with the cursor and id of the file and the row", async () => {
			const { sql, read, cursor, type } = await openMail();
			expect(cursor()).toMatch(/^v1\.\d+-\d+\.0$/);
			sql(mail(1, 1));
			const { events } = await read();
			expect(events).toEqual([
				{
					eventId: cursor().replace(/^v1\./, ""),
					name: "mail.received",
					timestamp: "2026-10-01T12:00:00.000Z",
					data: {
						rowid: 1,
						from: { address: "ada@example.com", name: "Ada L." },
						subject: "Re: Hello",
						mailbox: "INBOX",
						account: "9F3E",
						receivedAt: "2026-10-01T12:00:00.000Z",
						sentAt: "2026-10-01T11:59:50.000Z",
					},
				},
			]);
			const { payloadSchema } = type.descriptor;
			expect(await findProblems(events[0]?.data ?? {}, payloadSchema)).toEqual(
				[],
			);
		});

		it.each([
			[{}, [1, 2, 3, 7]],
			[{ from: ["ADA@example.com"] }, [1, 7]],
			[{ from: ["ada@example.com", "eve@badexample.com"] }, [1, 3, 7]],
			[{ domains: ["example.com"] }, [1, 2, 7]],
			[{ domains: ["sub.example.com"] }, [2]],
			[{ mailboxes: ["INBOX"] }, [1, 2, 7]],
			[{ mailboxes: ["bills"] }, [3]],
			[{ mailboxes: ["Work/Bills"], domains: ["example.com"] }, []],
			[{ mailboxes: ["sent mail"] }, [4]],
			[{ mailboxes: ["imap://9F3E/%5BGmail%5D/Sent%20Mail"] }, [4]],
		])(
			"%j: filtered by sender, domain and mailbox; Gmail's labels count",
			async (args, wanted) => {
				const { sql, read, type } = await openMail();
				sql(
					[
						mail(1, 1),
						mail(2, 1),
						mail(3, 5),
						mail(1, 2),
						mail(1, 4),
						mail(1, 1, "UPDATE messages SET deleted = 1 WHERE ROWID = 6;"),
						mail(1, 3, "INSERT INTO labels VALUES (7, 1)"),
					].join(";"),
				);
				expect(await findProblems(args, type.descriptor.inputSchema)).toEqual(
					[],
				);
				expect(rowids(await read(args))).toEqual(wanted);
			},
		);

		it("whose mailbox cannot be judged yet holds the cursor back, and nothing is lost or out of order", async () => {
			const { sql, read, cursor } = await openMail();
			sql(mail(1, 1) + mail(1, 99) + mail(2, 1));
			expect(rowids(await read())).toEqual([1]);
			expect(cursor()).toMatch(/\.1$/);
			sql("INSERT INTO mailboxes (ROWID, url) VALUES (99, 'imap://9F3E/New')");
			expect(rowids(await read())).toEqual([2, 3]);
		});

		it("whose mailbox never comes is given up after a minute, and whoever waits is woken", async () => {
			const { sql, read, type, clock } = await openMail();
			sql(mail(1, 99) + mail(2, 1));
			let wakes = 0;
			const leave = type.watch({}, () => wakes++);
			expect(rowids(await read())).toEqual([]);
			await clock.advance(59_000);
			expect(rowids(await read())).toEqual([]);
			wakes = 0;
			await clock.advance(2_000);
			expect(wakes).toBe(1);
			expect(rowids(await read({ mailboxes: ["INBOX"] }))).toEqual([2]);
			leave();
		});

		it("without a date has the time of the scan", async () => {
			const { sql, read, clock } = await openMail();
			sql(`${mail(1, 1)} UPDATE messages SET date_received = NULL`);
			const { events } = await read({}, { sinceMs: clock.now() });
			expect(events).toMatchObject([
				{
					timestamp: new Date(clock.now()).toISOString(),
					data: { receivedAt: null },
				},
			]);
		});

		it("may have to be narrowed: by sender or by domain", async () => {
			const { type } = await openMail({ requireFilter: true });
			const { inputSchema } = type.descriptor;
			expect(inputSchema.anyOf).toEqual([
				{ required: ["from"] },
				{ required: ["domains"] },
			]);
			expect(
				await findProblems({ mailboxes: ["INBOX"] }, inputSchema),
			).not.toEqual([]);
		});

		it("in another file is told as a gap; only what comes then is served", async () => {
			const { sql, read, look, seek, cursor } = await openMail();
			sql(mail(1, 1));
			const head = cursor().replace(/\.0$/, ".1");
			seek("v1.1-2.0");
			expect(await look()).toMatchObject({
				from: head,
				events: [],
				truncated: true,
			});
			await read();
			sql(mail(2, 1));
			expect(rowids(await read())).toEqual([2]);
		});

		it("is not looked for in a database that is none of Mail's", async () => {
			const { file } = createDatabase(
				"CREATE TABLE messages (ROWID INTEGER PRIMARY KEY, sender)",
			);
			await expect(
				openReader({ file, preset: "apple-mail" }),
			).rejects.toMatchObject({
				code: "wrong-use",
				why: expect.stringContaining("messages.subject"),
			});
		});
	},
);
