// A schema as a table for a person: one row for each property, and the rules that no row can hold.

import { Fault } from "../faults/index.ts";
import { isRecord } from "../protocol/index.ts";
import { requiredOf } from "./choices.ts";
import { schemaRules } from "./rules.ts";
import { show } from "./schema-faults.ts";
import type { SchemaObject } from "./schema-index.ts";
import { checkSize, parseDialect } from "./schema-limits.ts";
import { prepareSchema } from "./schema-prepare.ts";
import {
	applied,
	itemSchema,
	possible,
	propertySchema,
	type SchemaView,
	typesOf,
	viewSchema,
} from "./schema-view.ts";
import { typeWords } from "./type-words.ts";

const DEPTH_LIMIT = 4;
const ROWS_LIMIT = 300;

export interface ExplainedRow {
	/** As it is written after `-a`: `filter.since`; `[]` stands for the items of an array. */
	name: string;
	/** What is allowed, in words. */
	type: string;
	required: boolean;
	/** As JSON text. */
	default: string | undefined;
	/** On one line, or "". Text of the server, otherwise untouched. */
	description: string;
	deprecated: boolean;
}

export interface Explanation {
	rows: ExplainedRow[];
	/** Sentences without a full stop. */
	rules: string[];
}

interface Table extends Explanation {
	view: SchemaView;
}

interface Place {
	path: string;
	depth: number;
	/** The schemas that lie around this one: a schema inside itself is not opened again. */
	around: ReadonlySet<SchemaObject>;
}

/**
 * Explains an inputSchema or payloadSchema. Never throws: what cannot be read is left out, and why a schema cannot be
 * used to check anything is told as a rule.
 */
export function explainSchema(schema: unknown): Explanation {
	const table: Table = { view: viewSchema(schema), rows: [], rules: [] };
	if (schema === undefined) return { rows: [], rules: [] };
	if (schema === false) return { rows: [], rules: ["nothing is allowed"] };
	const unreadable = whyUnusable(() => {
		checkSize(schema);
		parseDialect(isRecord(schema) ? schema.$schema : undefined);
	});
	if (unreadable !== undefined) return { rows: [], rules: [unreadable] };
	addObject(table, schema, { path: "", depth: 1, around: new Set() });
	const { rows, rules } = table;
	const problem = whyUnusable(() => prepareSchema(schema));
	if (problem !== undefined) rules.unshift(problem);
	if (rows.length >= ROWS_LIMIT)
		rules.push(`only the first ${ROWS_LIMIT} keys are shown`);
	return { rows, rules: [...new Set(rules)] };
}

function whyUnusable(check: () => unknown): string | undefined {
	try {
		check();
		return undefined;
	} catch (cause) {
		if (cause instanceof Fault) return cause.what;
		throw cause;
	}
}

function addObject(table: Table, node: unknown, place: Place): void {
	const { view } = table;
	const schemas = applied(view, node);
	if (schemas.some((schema) => place.around.has(schema))) return;
	const around = new Set([...place.around, ...schemas]);
	const prefix = place.path === "" ? "" : `in ${place.path}: `;
	for (const rule of schemaRules(view, schemas))
		table.rules.push(prefix + rule);
	const required = new Set(schemas.flatMap(requiredOf));
	const names = possible(view, node).flatMap(({ properties }) =>
		isRecord(properties) ? Object.keys(properties) : [],
	);
	for (const key of new Set([...names, ...required])) {
		if (table.rows.length >= ROWS_LIMIT) return;
		const path = place.path === "" ? key : `${place.path}.${key}`;
		const property = propertySchema(view, node, key) ?? true;
		table.rows.push(
			explainRow(view, property, { name: path, required: required.has(key) }),
		);
		if (place.depth < DEPTH_LIMIT)
			addBelow(table, property, { path, depth: place.depth + 1, around });
	}
}

function addBelow(table: Table, node: unknown, place: Place): void {
	const types = typesOf(table.view, node);
	const item = itemSchema(table.view, node, 0);
	if (types?.has("array") && item !== undefined)
		addObject(table, item, { ...place, path: `${place.path}[]` });
	else addObject(table, node, place);
}

function explainRow(
	view: SchemaView,
	node: unknown,
	{ name, required }: { name: string; required: boolean },
): ExplainedRow {
	const schemas = applied(view, node);
	const find = (key: string) => schemas.find((schema) => key in schema)?.[key];
	const description = find("description") ?? find("title");
	const fallback = find("default");
	return {
		name,
		type: typeWords(view, node),
		required,
		default: fallback === undefined ? undefined : show(fallback, 200),
		description:
			typeof description === "string"
				? description.replace(/\s+/g, " ").trim()
				: "",
		deprecated: find("deprecated") === true,
	};
}
