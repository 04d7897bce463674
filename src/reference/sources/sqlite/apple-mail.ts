// Mail's "Envelope Index": what came into which mailbox, from whom and about what; never what stands in it.
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

const FROM = `messages AS m
	LEFT JOIN addresses AS a ON a.ROWID = m.sender
	LEFT JOIN subjects AS s ON s.ROWID = m.subject
	LEFT JOIN mailboxes AS b ON b.ROWID = m.mailbox`;

/** Gmail keeps all in one mailbox, and says by labels which it stands in. */
const LABELS = `(SELECT group_concat(lb.url, char(10)) FROM labels AS l
	JOIN mailboxes AS lb ON lb.ROWID = l.mailbox_id WHERE l.message_id = m.ROWID)`;

/** Mailboxes of what one wrote, threw away or never wanted, by the names that mail servers give them. */
const NOT_RECEIVED =
	/^(sent( (messages|items|mail))?|drafts?|outbox|trash|bin|deleted (messages|items)|junk( e-?mail)?|spam|bulk mail)$/i;

/** Throws `wrong-use` where the database is no Envelope Index. */
export function planMail(
	connection: SqliteConnection,
	options: SqliteOptions,
): PlannedType {
	requireColumns(connection, "Mail's Envelope Index", {
		messages: [
			"sender",
			"subject",
			"mailbox",
			"date_received",
			"date_sent",
			"deleted",
		],
		addresses: ["address", "comment"],
		subjects: ["subject"],
		mailboxes: ["url"],
	});
	const decode = textDecoder(connection);
	const hasPrefix = columnNames(connection, "messages").has("subject_prefix");
	const hasLabels = columnNames(connection, "labels").has("mailbox_id");
	const prefix = hasPrefix ? "coalesce(m.subject_prefix, '') || " : "";
	return {
		plan: {
			from: FROM,
			key: "m.ROWID",
			headSql: sequenceHead("messages"),
			time: { expression: "m.date_received", read: readTime },
			values: [
				"m.ROWID",
				shortText("a.address"),
				shortText("a.comment"),
				shortText(`${prefix}s.subject`),
				shortText("b.url"),
				"m.date_received",
				"m.date_sent",
			],
			makeFacts: (values) => ({
				dataText: JSON.stringify(envelopeOf(values, decode)),
				id: undefined,
			}),
			judgementOf: (args) =>
				judgementOf(args, hasLabels ? LABELS : "NULL", decode),
		},
		descriptor: describe(options),
		warnings: [],
	};
}

const readTime = (value: SqlRow[number] | undefined) =>
	typeof value === "bigint" || typeof value === "number"
		? readTimestamp(value, "seconds")
		: undefined;

function judgementOf(
	args: EventArguments,
	labels: string,
	decode: DecodeText,
): Judgement {
	const from = readList(args.from);
	const domains = readList(args.domains);
	const mailboxes = readList(args.mailboxes);
	return {
		expressions: [
			"m.deleted",
			shortText("a.address"),
			shortText("b.url"),
			shortText(labels),
		],
		params: [],
		judge([deleted, addressBytes, urlBytes, labelBytes], isLast): Verdict {
			if (deleted === 1n) return "unfit";
			const address = decode(addressBytes).toLowerCase();
			if (from && !from.has(address)) return "unfit";
			if (domains && !isOfDomain(address, domains)) return "unfit";
			// Its mailbox is written later than it is: until then nobody can say whether it was received.
			if (urlBytes === null && !isLast) return "later";
			const urls = [decode(urlBytes), ...decode(labelBytes).split("\n")];
			const names = urls.flatMap(mailboxNames);
			const isWanted = mailboxes
				? names.some((name) => mailboxes.has(name))
				: !names.some((name) => NOT_RECEIVED.test(name));
			return isWanted ? "fits" : "unfit";
		},
	};
}

/** Of `imap://ACCOUNT/Work/INBOX`: its address, its path and its last name, in lower case. */
function mailboxNames(url: string): string[] {
	if (url === "") return [];
	const { path } = readMailbox(url);
	return [url, path, path.split("/").at(-1) ?? ""].map((name) =>
		name.toLowerCase(),
	);
}

function readMailbox(url: string): { account: string; path: string } {
	const [, account = "", path = url] =
		/^[a-z][a-z0-9+.-]*:\/\/([^/]*)\/(.*)$/is.exec(url) ?? [];
	return { account, path: decodePercents(path.replace(/\/+$/, "")) };
}

function decodePercents(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** The domain itself, and what is under it. */
function isOfDomain(address: string, domains: Set<string>): boolean {
	const labels = address.slice(address.lastIndexOf("@") + 1).split(".");
	return labels.some((_label, at) => domains.has(labels.slice(at).join(".")));
}

function envelopeOf(values: SqlRow, decode: DecodeText) {
	const [rowid, address, name, subject, url, received, sent] = values;
	const mailbox = url === null ? undefined : readMailbox(decode(url));
	return {
		rowid: wholeOrNull(rowid),
		from: {
			address: textOrNull(address, decode),
			name: textOrNull(name, decode),
		},
		subject: textOrNull(subject, decode),
		mailbox: mailbox?.path ?? null,
		account: mailbox?.account ?? null,
		receivedAt: isoOrNull(readTime(received)),
		sentAt: isoOrNull(readTime(sent)),
	};
}

const TEXT_OR_NULL = { type: ["string", "null"] };

function describe({
	eventName = "mail.received",
	requireFilter = false,
}: SqliteOptions): TypeDescriptor {
	return {
		name: eventName,
		description:
			"A message came into a mailbox of Mail: who sent it, its subject and when; nothing of what stands in it. Sent mail, drafts, trash and junk are left out unless mailboxes names them.",
		delivery: ["poll", "push"],
		inputSchema: {
			type: "object",
			properties: {
				from: listFilter("Only from one of these addresses"),
				domains: listFilter("Only from addresses at or under these domains"),
				mailboxes: listFilter(
					"Only in one of these mailboxes, by name (INBOX), path (Work/Bills) or address",
				),
			},
			additionalProperties: false,
			...(requireFilter && {
				anyOf: [{ required: ["from"] }, { required: ["domains"] }],
			}),
			examples: [{ domains: ["example.com"], mailboxes: ["INBOX"] }],
		},
		payloadSchema: {
			type: "object",
			properties: {
				rowid: { type: "integer" },
				from: {
					type: "object",
					properties: { address: TEXT_OR_NULL, name: TEXT_OR_NULL },
					required: ["address", "name"],
				},
				subject: TEXT_OR_NULL,
				mailbox: TEXT_OR_NULL,
				account: TEXT_OR_NULL,
				receivedAt: TEXT_OR_NULL,
				sentAt: TEXT_OR_NULL,
			},
			required: ["rowid", "from", "subject", "mailbox"],
		},
	};
}
