// Turns a stranger's schema into one that the checking library cannot trip over: only keywords that we know, each of
// the right shape, every reference inside, `$ref` always `#/$defs/…`. What it cannot turn, it refuses by name.
import { isRecord } from "../protocol/index.ts";
import { cut, pointerToken, show, unusable } from "./schema-faults.ts";
import {
	indexSchema,
	type SchemaIndex,
	type SchemaObject,
} from "./schema-index.ts";
import {
	CHECKED_FORMATS,
	type Dialect,
	JSON_TYPES,
	KEYWORDS,
	type KeywordShape,
} from "./schema-keywords.ts";
import { checkSize, NODE_LIMIT, parseDialect } from "./schema-limits.ts";

export interface PreparedSchema {
	schema: SchemaObject;
	dialect: Dialect;
}

interface Work {
	dialect: Dialect;
	index: SchemaIndex;
	names: Map<SchemaObject, string>;
	waiting: SchemaObject[];
	made: number;
}

/** Checks and rewrites a schema; throws `schema-unusable` with the place. No schema at all allows anything. */
export function prepareSchema(raw: unknown): PreparedSchema {
	const root = raw === undefined ? true : raw;
	if (!isRecord(root) && typeof root !== "boolean")
		throw unusable(
			"it is no JSON Schema",
			`a schema is an object, true or false, not ${show(root)}`,
		);
	checkSize(root);
	const dialect = parseDialect(isRecord(root) ? root.$schema : undefined);
	const work: Work = {
		dialect,
		index: indexSchema(root),
		names: new Map(),
		waiting: [],
		made: 0,
	};
	const schema = prepare(work, root, "#");
	const definitions = emptyMap();
	for (let next = work.waiting.shift(); next; next = work.waiting.shift()) {
		const name = work.names.get(next) ?? "";
		definitions[name] = prepare(work, next, `#/$defs/${name}`);
	}
	if (work.names.size > 0) schema.$defs = definitions;
	return { schema, dialect };
}

function prepare(work: Work, raw: unknown, at: string): SchemaObject {
	if (++work.made > NODE_LIMIT)
		throw unusable("it is too large", "its references multiply its parts");
	if (raw === true) return {};
	// The library misplaces what it says of `false`; "not anything" is the same and is told at its place.
	if (raw === false) return { not: {} };
	if (!isRecord(raw)) throw wrongShape(at, "a schema", raw);
	checkNestedDialect(work, raw, at);
	const made: SchemaObject = {};
	const references = ["$ref", "$dynamicRef"].flatMap((key) =>
		prepareReference(work, raw, { key, at }),
	);
	Object.assign(made, references[0]);
	if (work.dialect === "draft-07" && raw.$ref !== undefined) return made;
	for (const [key, value] of Object.entries(raw)) {
		const shape = KEYWORDS[work.dialect].get(key);
		if (shape === undefined) continue;
		const ready = prepareValue(work, value, { shape, at: `${at}/${key}` });
		if (ready !== undefined) made[key] = ready;
	}
	if (references.length > 1) {
		const others = Array.isArray(made.allOf) ? made.allOf : [];
		made.allOf = [...others, ...references.slice(1)];
	}
	return made;
}

function checkNestedDialect(work: Work, raw: SchemaObject, at: string): void {
	if (raw.$schema === undefined) return;
	if (parseDialect(raw.$schema) !== work.dialect)
		throw unusable(
			`it mixes dialects: ${at} is written in ${show(raw.$schema)}`,
			`the whole is ${work.dialect}`,
		);
}

function prepareReference(
	work: Work,
	raw: SchemaObject,
	{ key, at }: { key: string; at: string },
): SchemaObject[] {
	const reference = raw[key];
	if (reference === undefined) return [];
	if (key === "$dynamicRef" && work.dialect === "draft-07") return [];
	if (typeof reference !== "string")
		throw wrongShape(`${at}/${key}`, "a string", reference);
	const anchor = reference.split("#")[1] ?? "";
	if (key === "$dynamicRef" && work.index.dynamicAnchors(anchor) > 1)
		throw unusable(
			`${at} has the $dynamicRef ${show(reference)}`,
			"several schemas bear that $dynamicAnchor, and which is meant cannot be told",
		);
	const target = work.index.resolve(raw, reference);
	if (target === undefined)
		throw unusable(
			`${at} has the ${key} ${show(reference, 200)}, which leads to no schema inside it`,
			"references are followed inside the schema only, and nothing is fetched",
		);
	if (!isRecord(target)) return [target === true ? {} : { not: {} }];
	let name = work.names.get(target);
	if (name === undefined) {
		name = `r${work.names.size}`;
		work.names.set(target, name);
		work.waiting.push(target);
	}
	return [{ $ref: `#/$defs/${name}` }];
}

interface Slot {
	shape: KeywordShape;
	at: string;
}

function prepareValue(work: Work, value: unknown, slot: Slot): unknown {
	const { shape, at } = slot;
	switch (shape) {
		case "schema":
			if (Array.isArray(value) && at.endsWith("/items"))
				throw wrongShape(at, "one schema (2020-12 says prefixItems)", value);
			return prepare(work, value, at);
		case "schema-or-schemas":
			if (!Array.isArray(value)) return prepare(work, value, at);
			return value.map((part, i) => prepare(work, part, `${at}/${i}`));
		case "schemas":
			if (!Array.isArray(value) || value.length === 0)
				throw wrongShape(at, "an array of schemas, at least one", value);
			return value.map((part, i) => prepare(work, part, `${at}/${i}`));
		case "schema-map":
		case "dependencies":
		case "strings-map":
			return prepareMap(work, value, slot);
		case "format":
			if (typeof value !== "string") throw wrongShape(at, "a string", value);
			return CHECKED_FORMATS.has(value) ? value : undefined;
		case "pattern":
			return checkPattern(value, at);
		default:
			if (!PLAIN[shape].fits(value))
				throw wrongShape(at, PLAIN[shape].words, value);
			return value;
	}
}

function prepareMap(work: Work, value: unknown, { shape, at }: Slot) {
	if (!isRecord(value)) throw wrongShape(at, "an object", value);
	const made = emptyMap();
	for (const [key, part] of Object.entries(value)) {
		const place = `${at}/${pointerToken(key)}`;
		if (at.endsWith("/patternProperties")) checkPattern(key, at);
		const isList =
			shape === "strings-map" ||
			(shape === "dependencies" && Array.isArray(part));
		if (isList && !PLAIN.strings.fits(part))
			throw wrongShape(place, PLAIN.strings.words, part);
		made[key] = isList ? part : prepare(work, part, place);
	}
	return made;
}

function checkPattern(value: unknown, at: string): string {
	if (typeof value !== "string") throw wrongShape(at, "a string", value);
	try {
		new RegExp(value, "u");
	} catch (cause) {
		throw unusable(
			`${at} holds ${show(value)}, which is no regular expression`,
			cause instanceof Error ? cut(cause.message, 200) : "it does not compile",
			cause,
		);
	}
	return value;
}

const isNumber = (value: unknown): value is number =>
	typeof value === "number" && Number.isFinite(value);
const isType = (value: unknown) =>
	JSON_TYPES.some((name) => name === value) && typeof value === "string";

const PLAIN: Record<
	Exclude<
		KeywordShape,
		| "schema"
		| "schemas"
		| "schema-map"
		| "schema-or-schemas"
		| "dependencies"
		| "strings-map"
		| "pattern"
		| "format"
	>,
	{ words: string; fits(value: unknown): boolean }
> = {
	type: {
		words: `one or more of ${JSON_TYPES.join(", ")}`,
		fits: (value) =>
			isType(value) ||
			(Array.isArray(value) && value.length > 0 && value.every(isType)),
	},
	strings: {
		words: "an array of strings",
		fits: (value) =>
			Array.isArray(value) && value.every((part) => typeof part === "string"),
	},
	list: { words: "an array", fits: Array.isArray },
	any: { words: "anything", fits: () => true },
	number: { words: "a number", fits: isNumber },
	positive: {
		words: "a number above 0",
		fits: (value) => isNumber(value) && value > 0,
	},
	count: {
		words: "a whole number, 0 or more",
		fits: (value) => isNumber(value) && Number.isInteger(value) && value >= 0,
	},
	boolean: {
		words: "true or false",
		fits: (value) => typeof value === "boolean",
	},
};

function wrongShape(at: string, wanted: string, value: unknown) {
	return unusable(
		`${at} must be ${wanted}`,
		`it is ${show(value)} in the schema`,
	);
}

/** Without a prototype, so that a property called `__proto__` is one like any other. */
const emptyMap = (): SchemaObject => Object.create(null);
