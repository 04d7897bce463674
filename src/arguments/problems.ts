// Turns what the checking library reports into sentences: the path, what was given, and what is allowed.
import type { OutputUnit } from "@cfworker/json-schema";
import { nearestNames } from "../faults/index.ts";
import { isRecord } from "../protocol/index.ts";
import {
	choiceProblem,
	keysOf,
	missing,
	missingWith,
	requiredOf,
} from "./choices.ts";
import { findPlace, pathWords, tokens, valueAt } from "./places.ts";
import { show } from "./schema-faults.ts";
import type { SchemaObject } from "./schema-index.ts";
import {
	isNever,
	possible,
	type SchemaView,
	viewSchema,
} from "./schema-view.ts";
import { typeWords } from "./type-words.ts";

/** How many of the library's errors are looked at; a hostile schema can make any number. */
const ERRORS_LIMIT = 2_000;
const NAMES_LIMIT = 20;

/** Keywords that only hold others: what they hold is told in their place. */
const CONTAINERS: ReadonlySet<string> = new Set([
	"$ref",
	"allOf",
	"properties",
	"patternProperties",
	"items",
	"additionalItems",
	"prefixItems",
	"if",
	"dependentSchemas",
	"unevaluatedItems",
]);
/** Keywords that are told as one, with nothing of what stands below them. */
const WHOLES: ReadonlySet<string> = new Set([
	"anyOf",
	"oneOf",
	"contains",
	"minContains",
	"maxContains",
	"not",
]);
const CLOSERS: ReadonlySet<string> = new Set([
	"additionalProperties",
	"unevaluatedProperties",
]);

interface Found {
	unit: OutputUnit;
	/** The schema that holds the keyword. */
	schema: SchemaObject;
	path: string[];
	/** Whether it is a key that was checked, by propertyNames. */
	isName: boolean;
}

interface Telling {
	view: SchemaView;
	value: unknown;
	units: OutputUnit[];
}

/** All problems, each a sentence without a full stop, none twice. */
export function tellProblems(
	units: OutputUnit[],
	schema: SchemaObject,
	value: unknown,
): string[] {
	const view = viewSchema(schema);
	const telling = { view, value, units: units.slice(0, ERRORS_LIMIT) };
	return tellUnits(telling, telling.units);
}

function tellUnits(telling: Telling, units: OutputUnit[]): string[] {
	const wholes = units
		.filter(({ keyword }) => WHOLES.has(keyword))
		.map(({ keywordLocation }) => wholePlace(keywordLocation));
	const isInside = ({ keywordLocation }: OutputUnit) =>
		wholes.some((place) => keywordLocation.startsWith(`${place}/`));
	const told = units
		.filter((unit) => !CONTAINERS.has(unit.keyword) && !isInside(unit))
		.filter((unit) => unit.keyword !== "not" || !isClosedKey(units, unit))
		.flatMap((unit) => tellUnit(telling, unit, units));
	return [...new Set(told)];
}

/** The errors of items stand below `contains`, whichever of its three keywords failed. */
const wholePlace = (location: string) =>
	location.replace(/\/(min|max)Contains$/, "/contains");

/** Whether a "nothing is allowed" is the one below additionalProperties, which names the key itself. */
const isClosedKey = (units: OutputUnit[], { keywordLocation }: OutputUnit) =>
	units.some(
		(other) =>
			CLOSERS.has(other.keyword) &&
			keywordLocation === `${other.keywordLocation}/not`,
	);

function tellUnit(
	telling: Telling,
	unit: OutputUnit,
	units: OutputUnit[],
): string[] {
	const place = findPlace(telling.view, unit.keywordLocation);
	if (!place) return [];
	const found: Found = { unit, path: tokens(unit.instanceLocation), ...place };
	if (found.isName) return [tellName(telling, found)];
	if (CLOSERS.has(unit.keyword)) return tellUnknown(telling, found, units);
	if (unit.keyword === "anyOf" || unit.keyword === "oneOf")
		return [tellChoice(telling, found, units)];
	return tellKeyword(telling, found);
}

function tellKeyword({ view, value }: Telling, found: Found): string[] {
	const { unit, schema, path } = found;
	const name = pathWords(path);
	const given = valueAt(value, path);
	const below = path.length > 0 ? ` in ${name}` : "";
	switch (unit.keyword) {
		case "required":
			return missing(requiredOf(schema), given).map(
				(key) => `${pathWords([...path, key])} is missing`,
			);
		case "dependentRequired":
		case "dependencies":
			return missingWith(schema, given).map(
				([key, other]) =>
					`${pathWords([...path, key])} is missing: it is needed with ${pathWords([...path, other])}`,
			);
		case "minProperties":
			return [`at least ${schema.minProperties} keys must be given${below}`];
		case "maxProperties":
			return [`at most ${schema.maxProperties} keys may be given${below}`];
		case "uniqueItems":
			return [`${name} holds an item twice`];
		case "contains":
		case "minContains":
		case "maxContains":
			return [`${name} must hold ${containsWords(view, schema)}`];
		case "not":
			return [notWords(view, found, given)];
		case "propertyNames":
			return [];
		default:
			return [`${name} is ${show(given)}, allowed: ${typeWords(view, schema)}`];
	}
}

function containsWords(view: SchemaView, schema: SchemaObject): string {
	const { minContains = 1, maxContains } = schema;
	const most = maxContains === undefined ? "" : ` and at most ${maxContains}`;
	return `at least ${minContains}${most} of: ${typeWords(view, schema.contains)}`;
}

function notWords(view: SchemaView, found: Found, given: unknown): string {
	const name = pathWords(found.path);
	if (isNever(found.schema))
		return found.path.length > 0
			? `${name} is not allowed`
			: "nothing is allowed";
	const keys = keysOf(view, found.schema.not);
	if (keys && keys.length > 1)
		return `${keys.join(" and ")} cannot be given together`;
	if (keys) return `${keys.join()} cannot be given here`;
	return `${name} is ${show(given)}, not allowed: ${typeWords(view, found.schema.not)}`;
}

function tellName({ view }: Telling, { path, schema }: Found): string {
	return `the key ${pathWords(path)} is not allowed, keys must be: ${typeWords(view, schema)}`;
}

function tellUnknown(
	{ view, value }: Telling,
	{ unit, schema, path }: Found,
	units: OutputUnit[],
): string[] {
	if (!isNever(schema[unit.keyword])) return [];
	const given = valueAt(value, path);
	if (!isRecord(given)) return [];
	// The error names the key only in its text; the "nothing is allowed" below it stands at the key.
	const keys = units
		.filter((other) => other.keywordLocation === `${unit.keywordLocation}/not`)
		.map((other) => tokens(other.instanceLocation))
		.filter((at) => at.length === path.length + 1 && startsWith(at, path))
		.map((at) => at.at(-1) ?? "");
	const known = knownNames(view, schema);
	return (
		keys
			// A key whose value is wrong counts as not evaluated too; its own problem is the one to tell.
			.filter(
				(key) =>
					unit.keyword === "additionalProperties" || !known.includes(key),
			)
			.map((key) => {
				const [near] = nearestNames(key, known);
				const hint = near ? `did you mean ${near}?` : namesWords(known);
				return `${pathWords([...path, key])} is not known (${hint})`;
			})
	);
}

function knownNames(view: SchemaView, schema: SchemaObject): string[] {
	const names = possible(view, schema).flatMap(({ properties }) =>
		isRecord(properties) ? Object.keys(properties) : [],
	);
	return [...new Set(names)];
}

function namesWords(names: string[]): string {
	if (names.length === 0) return "no keys are allowed";
	const more = names.length > NAMES_LIMIT ? ", …" : "";
	return `allowed: ${names.slice(0, NAMES_LIMIT).join(", ")}${more}`;
}

function tellChoice(telling: Telling, found: Found, units: OutputUnit[]) {
	const { unit, schema, path } = found;
	const list = schema[unit.keyword];
	const branches: unknown[] = Array.isArray(list) ? list : [];
	const given = valueAt(telling.value, path);
	const choice = choiceProblem(telling.view, {
		keyword: unit.keyword === "anyOf" ? "anyOf" : "oneOf",
		branches,
		given,
	});
	if (choice)
		return path.length > 0 ? `in ${pathWords(path)}: ${choice}` : choice;
	const name = pathWords(path);
	if (!isRecord(given))
		return `${name} is ${show(given)}, allowed: ${typeWords(telling.view, schema)}`;
	const reasons = branches.slice(0, 5).map((_, i) => {
		const below = `${unit.keywordLocation}/${i}/`;
		const inside = units.filter((other) =>
			other.keywordLocation.startsWith(below),
		);
		return tellUnits(telling, inside).slice(0, 3).join(" and ");
	});
	const failing = reasons.filter((reason) => reason !== "");
	if (unit.keyword === "oneOf" && failing.length < branches.length - 1)
		return `${name} fits several alternatives of which only one may fit`;
	return `${name} fits none of the alternatives: ${failing.join(", or: ")}`;
}

const startsWith = (path: string[], start: string[]) =>
	start.every((token, i) => path[i] === token);
