import { describe, expect, it } from "vitest";
import { findProblems } from "../../../../src/arguments/index.ts";
import {
	createDatabase,
	HAS_SQLITE3,
	openReader,
} from "../../sqlite-database.ts";

/** As chat.db of macOS 13 to 26 has them, less the columns that nobody here reads. */
const SCHEMA = `PRAGMA journal_mode=wal;
	CREATE TABLE handle (ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, id TEXT NOT NULL, country TEXT, service TEXT NOT NULL, UNIQUE (id, service));
	CREATE TABLE chat (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, style INTEGER, chat_identifier TEXT, service_name TEXT, display_name TEXT);
	CREATE TABLE chat_message_join (chat_id INTEGER REFERENCES chat (ROWID), message_id INTEGER REFERENCES message (ROWID), message_date INTEGER DEFAULT 0, PRIMARY KEY (chat_id, message_id));
	CREATE TABLE message (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, text TEXT, attributedBody BLOB, handle_id INTEGER DEFAULT 0, service TEXT, date INTEGER,
		is_from_me INTEGER DEFAULT 0, item_type INTEGER DEFAULT 0, associated_message_type INTEGER DEFAULT 0, cache_has_attachments INTEGER DEFAULT 0);
	INSERT INTO handle VALUES (1, '+15555550100', 'us', 'iMessage'), (2, 'ada@example.com', NULL, 'iMessage');
	INSERT INTO chat VALUES (1, 'iMessage;-;+15555550100', 45, '+15555550100', 'iMessage', ''), (2, 'iMessage;+;chat7', 43, 'chat7', 'iMessage', 'Friends');`;

/** 2026-10-01T12:00:00Z in nanoseconds since 2001. */
const DATE = "812548800000000000";

const message = (rowid: number, handle: number, more = "") =>
	`INSERT INTO message (ROWID, guid, text, attributedBody, handle_id, service, date) VALUES (${rowid}, 'GUID-${rowid}', 'a secret', x'736563726574', ${handle}, 'iMessage', ${DATE}); ${more}`;
const joined = (rowid: number, handle: number, chat: number) =>
	message(
		rowid,
		handle,
		`INSERT INTO chat_message_join VALUES (${chat}, ${rowid}, ${DATE});`,
	);

const rowids = ({ rows }: { rows: Record<string, unknown>[] }) =>
	rows.map(({ rowid }) => rowid);

async function openMessages(more = {}) {
	const { file, sql } = createDatabase(SCHEMA);
	const reader = await openReader({ file, preset: "apple-messages", ...more });
	return { ...reader, sql };
}

describe.skipIf(!HAS_SQLITE3)(
	"messages that come (skipped without sqlite3)",
	() => {
		it("are told without their text, by their own guid", async () => {
			const { sql, look, type } = await openMessages();
			sql(joined(1, 2, 2));
			const { events, cursor } = await look();
			expect(cursor).toMatch(/^v1\.\d+-\d+\.1$/);
			const event = JSON.parse(`${events[0]?.head}}`);
			expect(event).toEqual({
				eventId: "GUID-1",
				name: "messages.received",
				timestamp: "2026-10-01T12:00:00.000Z",
				data: {
					rowid: 1,
					guid: "GUID-1",
					from: "ada@example.com",
					service: "iMessage",
					chat: {
						guid: "iMessage;+;chat7",
						identifier: "chat7",
						name: "Friends",
						isGroup: true,
					},
					hasAttachments: false,
					sentAt: "2026-10-01T12:00:00.000Z",
				},
			});
			expect(events[0]?.head).not.toMatch(/secret|c2VjcmV0/);
			expect(
				await findProblems(event.data, type.descriptor.payloadSchema),
			).toEqual([]);
		});

		it.each([
			[{}, [1, 2]],
			[{ from: ["+15555550100"] }, [1]],
			[{ chats: ["chat7"] }, [2]],
			[{ chats: ["iMessage;-;+15555550100", "chat7"] }, [1, 2]],
			[{ chats: ["chat7"], from: ["+15555550100"] }, []],
		])(
			"%j: filtered by sender and conversation; what one sent, reactions and changes of a group left out",
			async (args, wanted) => {
				const { sql, read, type } = await openMessages();
				sql(
					joined(1, 1, 1) +
						joined(2, 2, 2) +
						joined(3, 0, 1) +
						joined(4, 1, 1) +
						joined(5, 2, 2),
				);
				sql(
					"UPDATE message SET is_from_me = 1 WHERE ROWID = 3; UPDATE message SET associated_message_type = 2000 WHERE ROWID = 4; UPDATE message SET item_type = 1 WHERE ROWID = 5",
				);
				expect(await findProblems(args, type.descriptor.inputSchema)).toEqual(
					[],
				);
				expect(rowids(await read(args))).toEqual(wanted);
			},
		);

		it("wait for their conversation, which is joined a moment later", async () => {
			const { sql, read } = await openMessages();
			sql(message(1, 1) + joined(2, 1, 1));
			expect(rowids(await read())).toEqual([]);
			sql("INSERT INTO chat_message_join VALUES (1, 1, 0)");
			expect(rowids(await read())).toEqual([1, 2]);
		});

		it("are undated where the date is 0: they have the time of the scan", async () => {
			const { sql, read, clock } = await openMessages();
			sql(`${joined(1, 1, 1)} UPDATE message SET date = 0`);
			expect((await read()).events).toMatchObject([
				{
					timestamp: new Date(clock.now()).toISOString(),
					data: { sentAt: null },
				},
			]);
		});

		it("are read from older databases too, without the columns of later years", async () => {
			const { file, sql } = createDatabase(`${SCHEMA}
			ALTER TABLE message DROP COLUMN associated_message_type; ALTER TABLE message DROP COLUMN item_type; ALTER TABLE message DROP COLUMN cache_has_attachments`);
			const { read } = await openReader({ file, preset: "apple-messages" });
			sql(joined(1, 1, 1));
			expect(rowids(await read())).toEqual([1]);
		});
	},
);
