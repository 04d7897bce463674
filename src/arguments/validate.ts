// Checks arguments, or any value, against a stranger's schema, and tells all problems at once.
import { Fault } from "../faults/index.ts";
import { canonicalJson } from "../protocol/index.ts";
import { exampleArguments } from "./example.ts";
import { argumentFlags } from "./flags.ts";
import { tellTogether } from "./tell-together.ts";

/** Far beyond what an honest schema takes, on a machine that is busy too. */
const TIMEOUT_MS = 2_000;

export interface CheckOptions {
	/** How long the check may take. */
	timeoutMs?: number;
}

/**
 * Everything that is wrong with `value`, in sentences; empty where it fits. Throws `schema-unusable` where the schema
 * is broken, hostile, or in a dialect that is not supported.
 */
export async function findProblems(
	value: unknown,
	schema: unknown,
	{ timeoutMs = TIMEOUT_MS }: CheckOptions = {},
): Promise<string[]> {
	if (schema === undefined || schema === true) return [];
	// What the rest of the way takes is JSON: a value that is not would be checked as something else than is sent.
	const sent: unknown = JSON.parse(JSON.stringify(value) ?? "null");
	const { checkValue } = await import("./check-schema.ts");
	const { errors, prepared } = await checkValue(sent, schema, { timeoutMs });
	if (errors.length === 0) return [];
	const { tellProblems } = await import("./problems.ts");
	const told = tellProblems(errors, prepared.schema, sent);
	return told.length > 0 ? told : ["the value does not fit the schema"];
}

/** Throws `arguments-invalid` that lists all problems, or `schema-unusable` (see findProblems). */
export async function validateArguments(
	value: Record<string, unknown>,
	schema: unknown,
	options: CheckOptions = {},
): Promise<void> {
	const problems = await findProblems(value, schema, options);
	if (problems.length === 0) return;
	throw new Fault("arguments-invalid", {
		...tellTogether(problems, "the arguments do not fit the inputSchema"),
		next: await exampleLine(value, schema, options),
	});
}

/** An `-a` line that fits the schema; undefined where none can be derived, for a wrong example is worse than none. */
async function exampleLine(
	given: Record<string, unknown>,
	schema: unknown,
	options: CheckOptions,
): Promise<string | undefined> {
	const example = exampleArguments(schema);
	if (!example || canonicalJson(example) === canonicalJson(given))
		return undefined;
	const problems = await findProblems(example, schema, options).catch(
		() => undefined,
	);
	if (problems?.length !== 0) return undefined;
	const words = argumentFlags(example, schema);
	return words.length > 0
		? `for example: ${words.join(" ")}`
		: "leave the arguments out: none is required";
}
