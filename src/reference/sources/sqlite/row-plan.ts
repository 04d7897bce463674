// The plan for rows of any table or query: every column is shown, and every column filters.
import { Fault, nearestNames } from "../../../faults/index.ts";
import type { TypeDescriptor } from "../../source.ts";
import {
	argumentType,
	type Column,
	columnExpressions,
	cutName,
	payloadProperty,
	rowJson,
} from "./columns.ts";
import type { SqlValue } from "./driver.ts";
import type { Plan } from "./plan.ts";
import { asBytes, type DecodeText, paramOf } from "./sql-text.ts";
import { readTimestamp, type TimestampFormat } from "./timestamps.ts";

export interface RowOptions {
	eventName: string;
	idColumn?: string | undefined;
	timestampColumn?: string | undefined;
	timestampFormat?: TimestampFormat | undefined;
	requireFilter?: boolean | undefined;
}

type RowPlace = Pick<Plan, "from" | "where" | "key" | "headSql">;

/** An id of a column stands in HTTP headers too. */
const PLAIN_ID = /^[\x21-\x7e]{1,200}$/;
/** Of an id, or a time. */
const SHORT_BYTES = 256;

/** Throws `wrong-use` where a column that an option names is not there. */
export function planRows(
	place: RowPlace,
	columns: readonly Column[],
	{ decode, ...options }: RowOptions & { decode: DecodeText },
): Plan {
	const idColumn = findColumn(columns, "--id-column", options.idColumn);
	const time = findColumn(
		columns,
		"--timestamp-column",
		options.timestampColumn,
	);
	const format = options.timestampFormat ?? "auto";
	const shown = columnExpressions(columns);
	return {
		...place,
		...(time && {
			time: {
				expression: shortExpression(time),
				read: (value) =>
					readTimestamp(
						value instanceof Uint8Array ? decode(value) : value,
						format,
					),
			},
		}),
		values: [...shown, idColumn ? shortExpression(idColumn) : "NULL"],
		makeFacts: (values) => ({
			dataText: rowJson(columns, values, decode),
			id: readId(values[shown.length], decode),
		}),
		judgementOf(args) {
			const names = Object.keys(args);
			const tests = names.flatMap((name, index) => {
				const column = columns.find((known) => known.name === name);
				return column ? [`${column.expression} = ?${index + 2}`] : [];
			});
			return {
				expressions: tests,
				params: names.map((name) => paramOf(args[name])),
				judge: (values) =>
					values.every((value) => value === 1n) ? "fits" : "unfit",
			};
		},
	};
}

export function describeRows(
	columns: readonly Column[],
	{ eventName, requireFilter = false }: RowOptions,
	what: string,
): TypeDescriptor {
	const filters = columns.flatMap((column) => {
		const type = argumentType(column);
		const about = `Only rows with this ${column.name}`;
		return type ? [[column.name, { type, description: about }] as const] : [];
	});
	return {
		name: eventName,
		description: `A row was added to ${what}. Integers beyond 2^53 come as strings, BLOBs in base64; texts over 32 KiB are cut and named under ${cutName(columns)}.`,
		delivery: ["poll", "push"],
		inputSchema: {
			type: "object",
			properties: Object.fromEntries(filters),
			additionalProperties: false,
			...(requireFilter && {
				anyOf: filters.map(([name]) => ({ required: [name] })),
			}),
		},
		payloadSchema: {
			type: "object",
			properties: Object.fromEntries([
				...columns.map(payloadProperty),
				[cutName(columns), { type: "array", items: { type: "string" } }],
			]),
		},
	};
}

function findColumn(
	columns: readonly Column[],
	flag: string,
	wanted: string | undefined,
): Column | undefined {
	if (wanted === undefined) return undefined;
	const found = columns.find(
		({ name }) => name.toLowerCase() === wanted.toLowerCase(),
	);
	if (found) return found;
	const names = columns.map(({ name }) => name);
	throw new Fault("wrong-use", {
		what: `${flag} ${wanted} names no column`,
		why: `the columns are ${names.slice(0, 50).join(", ")}`,
		next: `${flag} ${nearestNames(wanted, names)[0] ?? names[0] ?? "NAME"}`,
	});
}

/** Text as bytes, so much of it as an id or a time can have. */
const shortExpression = ({ expression }: Column) =>
	`CASE WHEN typeof(${expression}) IN ('text', 'blob') THEN substr(${asBytes(expression)}, 1, ${SHORT_BYTES}) ELSE ${expression} END`;

function readId(value: SqlValue | undefined, decode: DecodeText) {
	const id = decode(value);
	return PLAIN_ID.test(id) ? id : undefined;
}
