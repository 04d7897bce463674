// `-a key=value`, typed by the schema of the event.
import { Fault, shellWord } from "../faults/index.ts";
import { isRecord } from "../protocol/index.ts";
import { exampleValue } from "./example.ts";
import { setOwn } from "./own-keys.ts";
import { pairText } from "./pair-text.ts";
import { guessText, type Reading, readText } from "./read-text.ts";
import { show } from "./schema-faults.ts";
import {
	itemSchema,
	possible,
	propertySchema,
	type SchemaView,
	typesOf,
	viewSchema,
} from "./schema-view.ts";
import { tellTogether } from "./tell-together.ts";

/** What was given at one key: texts, or further keys below it. */
interface Branch {
	schema: unknown;
	texts: string[];
	keys: Map<string, Branch>;
}

interface Parse {
	view: SchemaView;
	/** Wrong in its form, whatever the schema. */
	malformed: string[];
	/** Wrong by the schema. */
	unfit: string[];
	/** A pair that is right, in place of the first that is not. */
	repaired: string | undefined;
	/** Nothing is unfit: what the schema cannot type is read as if it said nothing. */
	isLenient: boolean;
}

/**
 * Reads pairs of `key=value`, cut at the first `=`. Each value is typed by the schema (see readText for the order). A
 * key is repeated for the items of an array, and one value makes an array of one; `a.b=c` is the key b of the object a,
 * unless the schema has a property called `a.b`. Where no schema speaks of a key, repeating it makes an array too.
 * Nothing is validated beyond types. Throws one fault with all problems: `wrong-use` where a pair has no form,
 * `arguments-invalid` where a value cannot be typed, unless `isLenient`.
 */
export function parseArguments(
	pairs: readonly string[],
	schema?: unknown,
	{ isLenient = false }: { isLenient?: boolean } = {},
): Record<string, unknown> {
	const parse: Parse = {
		view: viewSchema(schema),
		malformed: [],
		unfit: [],
		repaired: undefined,
		isLenient,
	};
	const root: Branch = { schema, texts: [], keys: new Map() };
	for (const pair of pairs) addPair(parse, root, pair);
	const value = readBranch(parse, root, "");
	throwProblems(parse);
	return isRecord(value) ? value : {};
}

function throwProblems({ malformed, unfit, repaired }: Parse): void {
	const problems = [...malformed, ...unfit];
	if (problems.length === 0) return;
	const code = malformed.length > 0 ? "wrong-use" : "arguments-invalid";
	throw new Fault(code, {
		...tellTogether(problems, "the arguments cannot be read"),
		next: repaired
			? `-a ${shellWord(repaired)}`
			: "see what it takes: mcp-events describe SERVER EVENT",
	});
}

function addPair(parse: Parse, root: Branch, pair: string): void {
	const cut = pair.indexOf("=");
	if (cut <= 0) {
		const key = cut === 0 ? "key" : pair || "key";
		parse.malformed.push(
			cut === 0
				? `${show(pair)} has no key before its =`
				: `${show(pair)} has no =; an argument is written key=value`,
		);
		parse.repaired ??= `${key}=${cut === 0 ? pair.slice(1) : "value"}`;
		return;
	}
	const path = splitKey(parse.view, root.schema, pair.slice(0, cut));
	if (path.includes("")) {
		parse.malformed.push(
			`${show(pair)} has an empty part between its dots; a key that contains dots is given by --args`,
		);
		return;
	}
	let branch = root;
	for (const key of path) branch = below(parse, branch, key);
	branch.texts.push(pair.slice(cut + 1));
}

function below({ view }: Parse, branch: Branch, key: string): Branch {
	const known = branch.keys.get(key);
	if (known) return known;
	const made: Branch = {
		schema: propertySchema(view, branch.schema, key),
		texts: [],
		keys: new Map(),
	};
	branch.keys.set(key, made);
	return made;
}

/** The longest start of the key that the schema has as a property is one token; else the part before the first dot. */
function splitKey(view: SchemaView, node: unknown, key: string): string[] {
	const path: string[] = [];
	let schema = node;
	let rest = key;
	for (;;) {
		const token = knownStart(view, schema, rest) ?? rest.split(".", 1)[0] ?? "";
		path.push(token);
		if (token.length >= rest.length) return path;
		schema = propertySchema(view, schema, token);
		rest = rest.slice(token.length + 1);
	}
}

function knownStart(view: SchemaView, schema: unknown, key: string) {
	const lists = possible(view, schema).map(({ properties }) => properties);
	for (let end = key.length; end > 0; end = key.lastIndexOf(".", end - 1)) {
		const start = key.slice(0, end);
		const isKnown = (list: unknown) =>
			isRecord(list) && Object.hasOwn(list, start);
		if (lists.some(isKnown)) return start;
	}
	return undefined;
}

function readBranch(parse: Parse, branch: Branch, path: string): unknown {
	const { texts, keys } = branch;
	if (texts.length === 0) return readKeys(parse, keys, path);
	if (keys.size > 0) {
		const [key] = keys.keys();
		parse.malformed.push(
			`${path} is given both as a value and in parts (${path}.${key})`,
		);
		return undefined;
	}
	return readTexts(parse, branch, path);
}

function readKeys(parse: Parse, keys: Map<string, Branch>, path: string) {
	const made: Record<string, unknown> = {};
	for (const [key, branch] of keys) {
		const place = path === "" ? key : `${path}.${key}`;
		if (branch.keys.size > 0 && mustBeList(parse, branch.schema))
			parse.unfit.push(
				`${place} is an array: give each item as JSON, -a ${place}='{"…": …}'`,
			);
		else setOwn(made, key, readBranch(parse, branch, place));
	}
	return made;
}

function mustBeList({ view, isLenient }: Parse, schema: unknown): boolean {
	if (isLenient) return false;
	const types = typesOf(view, schema);
	return types?.has("array") === true && !types.has("object");
}

function readTexts(parse: Parse, branch: Branch, path: string): unknown {
	const { schema, texts } = branch;
	const types = typesOf(parse.view, schema);
	const isMany = texts.length > 1;
	const mayRepeat = types === undefined || types.has("array");
	if (isMany && !mayRepeat && !parse.isLenient) {
		parse.unfit.push(
			`${path} is given ${texts.length} times, but it is no array`,
		);
		return undefined;
	}
	const alone = isMany ? undefined : readAlone(parse.view, branch, types);
	if (alone) return take(parse, alone, { path, schema, text: texts[0] ?? "" });
	return texts.map((text, i) => {
		const item = itemSchema(parse.view, schema, i);
		const reading = readText(parse.view, item, text);
		return take(parse, reading, { path, schema: item, text });
	});
}

/** One text as it stands; undefined where it has to be the one item of an array. */
function readAlone(
	view: SchemaView,
	{ schema, texts }: Branch,
	types: ReturnType<typeof typesOf>,
): Reading | undefined {
	const [text = ""] = texts;
	if (types === undefined || !types.has("array"))
		return readText(view, schema, text);
	const others = [...types].filter((type) => type !== "array");
	if (others.length === 0) return undefined;
	const reading = readText(view, { type: others }, text);
	return "value" in reading ? reading : undefined;
}

function take(
	parse: Parse,
	reading: Reading,
	{ path, schema, text }: { path: string; schema: unknown; text: string },
): unknown {
	if ("value" in reading) return reading.value;
	if (parse.isLenient) return guessText(text);
	parse.unfit.push(`${path} is ${reading.problem}`);
	const example = exampleValue(parse.view, schema);
	if (example !== undefined) parse.repaired ??= `${path}=${pairText(example)}`;
	return undefined;
}
