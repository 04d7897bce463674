// Messages' chat.db: that a message came, from whom and in which conversation; never its text.
import type { EventArguments, TypeDescriptor } from "../../source.ts";
import type { SqliteConnection, SqlRow } from "./driver.ts";
import type { SqliteOptions } from "./options.ts";
import type { Judgement, PlannedType, Verdict } from "./plan.ts";
import {
	columnNames,
	isoOrNull,
	listFilter,
	readList,
	requireColumns,
	sequenceHead,
	shortText,
	textOrNull,
	wholeOrNull,
} from "./preset.ts";
import { type DecodeText, textDecoder } from "./sql-text.ts";
import { readTimestamp } from "./timestamps.ts";

const FROM = `message AS m
	LEFT JOIN handle AS h ON h.ROWID = m.handle_id
	LEFT JOIN chat AS c ON c.ROWID = (
		SELECT min(chat_id) FROM chat_message_join WHERE message_id = m.ROWID)`;

/** How chat.db calls a conversation of several. */
const GROUP_STYLE = 43n;

/** Throws `wrong-use` where the database is no chat.db. */
export function planMessages(
	connection: SqliteConnection,
	options: SqliteOptions,
): PlannedType {
	requireColumns(connection, "the chat.db of Messages", {
		message: ["guid", "handle_id", "date", "is_from_me", "service"],
		handle: ["id"],
		chat: ["guid", "chat_identifier", "display_name", "style"],
		chat_message_join: ["chat_id", "message_id"],
	});
	const decode = textDecoder(connection);
	const known = columnNames(connection, "message");
	const optional = (name: string) => (known.has(name) ? `m.${name}` : "0");
	return {
		plan: {
			from: FROM,
			key: "m.ROWID",
			headSql: sequenceHead("message"),
			time: { expression: "m.date", read: readTime },
			values: [
				"m.ROWID",
				shortText("m.guid"),
				shortText("h.id"),
				shortText("m.service"),
				shortText("c.guid"),
				shortText("c.chat_identifier"),
				shortText("c.display_name"),
				"c.style",
				optional("cache_has_attachments"),
				"m.date",
			],
			makeFacts: (values) => ({
				dataText: JSON.stringify(messageOf(values, decode)),
				id: idOf(values[1], decode),
			}),
			judgementOf: (args) =>
				judgementOf(
					args,
					`m.is_from_me OR ${optional("item_type")} OR ${optional("associated_message_type")}`,
					decode,
				),
		},
		descriptor: describe(options),
		warnings: [],
	};
}

const readTime = (value: SqlRow[number] | undefined) =>
	// 0 is what stands where no time is known, not the first moment of 2001.
	(typeof value === "bigint" || typeof value === "number") && Number(value) > 0
		? readTimestamp(value, "apple")
		: undefined;

/** A message has the same guid on every device and after every restore. */
function idOf(value: SqlRow[number] | undefined, decode: DecodeText) {
	const guid = decode(value);
	return /^[\x21-\x7e]{1,200}$/.test(guid) ? guid : undefined;
}

/** `isOther`: SQL that is true of what was sent, of reactions, and of changes to the conversation. */
function judgementOf(
	args: EventArguments,
	isOther: string,
	decode: DecodeText,
): Judgement {
	const from = readList(args.from);
	const chats = readList(args.chats);
	return {
		expressions: [
			isOther,
			shortText("h.id"),
			shortText("c.guid"),
			shortText("c.chat_identifier"),
		],
		params: [],
		judge([other, handle, guid, identifier], isLast): Verdict {
			if (other === 1n) return "unfit";
			if (from && !from.has(decode(handle).toLowerCase())) return "unfit";
			// The conversation is joined to it a moment later.
			if (guid === null && !isLast) return "later";
			const names = [guid, identifier].map((name) =>
				decode(name).toLowerCase(),
			);
			if (chats && !names.some((name) => chats.has(name))) return "unfit";
			return "fits";
		},
	};
}

function messageOf(values: SqlRow, decode: DecodeText) {
	const [rowid, guid, from, service, chat, identifier, name, style] = values;
	return {
		rowid: wholeOrNull(rowid),
		guid: textOrNull(guid, decode),
		from: textOrNull(from, decode),
		service: textOrNull(service, decode),
		chat: {
			guid: textOrNull(chat, decode),
			identifier: textOrNull(identifier, decode),
			name: textOrNull(name, decode),
			isGroup: style === GROUP_STYLE,
		},
		hasAttachments: values[8] === 1n,
		sentAt: isoOrNull(readTime(values[9])),
	};
}

const TEXT_OR_NULL = { type: ["string", "null"] };

function describe({
	eventName = "messages.received",
	requireFilter = false,
}: SqliteOptions): TypeDescriptor {
	return {
		name: eventName,
		description:
			"A message came in Messages: from whom and in which conversation; not its text. Reactions and changes to a conversation are left out.",
		delivery: ["poll", "push"],
		inputSchema: {
			type: "object",
			properties: {
				from: listFilter(
					"Only from one of these telephone numbers or addresses",
				),
				chats: listFilter(
					"Only in one of these conversations, by guid or identifier",
				),
			},
			additionalProperties: false,
			...(requireFilter && {
				anyOf: [{ required: ["from"] }, { required: ["chats"] }],
			}),
			examples: [{ from: ["+15555550100"] }],
		},
		payloadSchema: {
			type: "object",
			properties: {
				rowid: { type: "integer" },
				guid: TEXT_OR_NULL,
				from: TEXT_OR_NULL,
				service: TEXT_OR_NULL,
				chat: {
					type: "object",
					properties: {
						guid: TEXT_OR_NULL,
						identifier: TEXT_OR_NULL,
						name: TEXT_OR_NULL,
						isGroup: { type: "boolean" },
					},
				},
				hasAttachments: { type: "boolean" },
				sentAt: TEXT_OR_NULL,
			},
			required: ["rowid", "guid", "from", "chat"],
		},
	};
}
