// The rules of an object that no single key shows, in words: which keys go together, which exclude each other.
import { isRecord } from "../protocol/index.ts";
import { keyChoices, keysOf, requiredOf } from "./choices.ts";
import { cut } from "./schema-faults.ts";
import type { SchemaObject } from "./schema-index.ts";
import {
	applied,
	fixedValues,
	isNever,
	type SchemaView,
} from "./schema-view.ts";
import { fixedWords, typeWords } from "./type-words.ts";

const LIST_LIMIT = 20;

/** The rules that the schemas of one object make together, each a sentence without a full stop. */
export function schemaRules(
	view: SchemaView,
	schemas: SchemaObject[],
): string[] {
	return schemas.flatMap((schema) => [
		...choiceRules(view, schema, "anyOf"),
		...choiceRules(view, schema, "oneOf"),
		...exclusionRules(view, schema.not),
		...dependencyRules(view, schema),
		...conditionRules(view, schema),
		...otherKeysRules(view, schema),
		...countRules(schema),
	]);
}

function choiceRules(
	view: SchemaView,
	schema: SchemaObject,
	keyword: "anyOf" | "oneOf",
): string[] {
	const branches = schema[keyword];
	if (!Array.isArray(branches)) return [];
	const lead =
		keyword === "anyOf" ? "give at least one of: " : "give exactly one of: ";
	const keys = keyChoices(view, branches.slice(0, LIST_LIMIT));
	if (keys) return [lead + keys.join(", ")];
	const shapes = branches
		.slice(0, LIST_LIMIT)
		.map((branch) => shapeWords(view, branch));
	// Branches that say nothing of keys are types, and the row tells those.
	if (shapes.every((shape) => shape === "")) return [];
	const told = shapes.map((shape) => shape || "anything else").join("; or ");
	return [
		`${keyword === "anyOf" ? "at least one" : "exactly one"} must hold: ${told}`,
	];
}

/** What a branch says of keys: "kind is file, with path". */
function shapeWords(view: SchemaView, node: unknown): string {
	const schemas = applied(view, node);
	const values = schemas.flatMap(({ properties }) =>
		isRecord(properties) ? Object.entries(properties) : [],
	);
	const fixed = values.flatMap(([key, value]) => {
		const list = fixedValues(view, value);
		return list
			? [
					{
						key,
						words: `${key} is ${fixedWords(list).replace(/^exactly /, "")}`,
					},
				]
			: [];
	});
	const told = new Set(fixed.map(({ key }) => key));
	const needed = schemas.flatMap(requiredOf).filter((key) => !told.has(key));
	const optional = values
		.map(([key]) => key)
		.filter((key) => !told.has(key) && !needed.includes(key));
	const words = [
		...fixed.map(({ words }) => words),
		...(needed.length > 0
			? [`with ${needed.slice(0, LIST_LIMIT).join(" and ")}`]
			: []),
	];
	if (words.length === 0 && optional.length > 0)
		return `with any of ${optional.slice(0, LIST_LIMIT).join(", ")}`;
	return words.join(", ");
}

function exclusionRules(view: SchemaView, not: unknown): string[] {
	if (!isRecord(not)) return [];
	const keys = keysOf(view, not);
	if (keys && keys.length > 1)
		return [
			`not all together: ${keys.join(", ")}`.replace(
				/^not all together: ([^,]+), ([^,]+)$/,
				"not both $1 and $2",
			),
		];
	if (keys) return [`${keys.join()} must not be given`];
	const choices = Array.isArray(not.anyOf)
		? keyChoices(view, not.anyOf)
		: undefined;
	return choices
		? [`none of: ${choices.join(", ")}`]
		: ["further conditions apply (not)"];
}

function dependencyRules(view: SchemaView, schema: SchemaObject): string[] {
	const maps = [
		schema.dependentRequired,
		schema.dependentSchemas,
		schema.dependencies,
	];
	return maps
		.flatMap((map) => (isRecord(map) ? Object.entries(map) : []))
		.slice(0, LIST_LIMIT)
		.flatMap(([key, value]) => {
			if (!Array.isArray(value)) {
				const shape = shapeWords(view, value);
				return [
					`where ${key} is given: ${shape || "further conditions apply"}`,
				];
			}
			return value.length > 0
				? [`${key} needs ${value.join(" and ")} too`]
				: [];
		});
}

function conditionRules(view: SchemaView, schema: SchemaObject): string[] {
	if (schema.if === undefined) return [];
	const condition = shapeWords(view, schema.if);
	const parts = [schema.then, schema.else].map((node) =>
		isRecord(node) ? shapeWords(view, node) : "",
	);
	const [then, otherwise] = parts;
	if (condition === "" || parts.every((part) => part === ""))
		return ["further conditions apply (if, then, else)"];
	return [
		...(then ? [`where ${condition}: ${then}`] : []),
		...(otherwise ? [`unless ${condition}: ${otherwise}`] : []),
	];
}

function otherKeysRules(view: SchemaView, schema: SchemaObject): string[] {
	const {
		additionalProperties,
		unevaluatedProperties,
		patternProperties,
		propertyNames,
	} = schema;
	const closed =
		isNever(additionalProperties) || isNever(unevaluatedProperties);
	const patterns = isRecord(patternProperties)
		? Object.entries(patternProperties)
		: [];
	return [
		...patterns
			.slice(0, LIST_LIMIT)
			.map(
				([pattern, value]) =>
					`keys that match ${cut(pattern)}: ${typeWords(view, value)}`,
			),
		...(propertyNames === undefined || propertyNames === true
			? []
			: [`keys must be: ${typeWords(view, propertyNames)}`]),
		...(closed ? ["other keys are refused"] : []),
		...(isRecord(additionalProperties) && !closed
			? [`other keys: ${typeWords(view, additionalProperties)}`]
			: []),
	];
}

function countRules({ minProperties, maxProperties }: SchemaObject): string[] {
	return [
		...(typeof minProperties === "number" && minProperties > 0
			? [`give at least ${minProperties} keys`]
			: []),
		...(typeof maxProperties === "number"
			? [`give at most ${maxProperties} keys`]
			: []),
	];
}
