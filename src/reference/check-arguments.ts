// Event arguments against a type's inputSchema, with a refusal that tells the client everything that does not fit.
import { findProblems } from "../arguments/index.ts";
import { isRecord } from "../protocol/index.ts";
import { invalidParams } from "./refusal.ts";

/** Arguments known to fit, by schema: a poller sends the same ones every second, and a check takes milliseconds. */
const known = new WeakMap<object, Set<string>>();
const MAX_KNOWN = 1_000;
const MAX_KNOWN_LENGTH = 1_000;

/** The clock on the wall counts: a machine that is busy with other things must not make a right request fail. */
const TIMEOUT_MS = 3_000;

/** No schema goes deeper; what looks into every level of a value would run out of stack. */
const MAX_DEPTH = 64;

/** The arguments of a request, before they are held to a schema: absent ones count as none (events.md 1). */
export function readArguments(value: unknown): Record<string, unknown> {
	const args = value ?? {};
	if (!isRecord(args)) throw invalidParams("arguments must be an object");
	if (isDeeper(args, MAX_DEPTH))
		throw invalidParams(`arguments are nested more than ${MAX_DEPTH} deep`);
	return args;
}

function isDeeper(value: unknown, depth: number): boolean {
	if (typeof value !== "object" || value === null) return false;
	if (depth === 0) return true;
	return Object.values(value).some((part) => isDeeper(part, depth - 1));
}

/** Throws InvalidParams with everything that does not fit. */
export async function checkArguments(
	args: Record<string, unknown>,
	schema: Record<string, unknown>,
): Promise<void> {
	const text = JSON.stringify(args);
	if (known.get(schema)?.has(text)) return;
	const problems = await findProblems(args, schema, { timeoutMs: TIMEOUT_MS });
	if (problems.length > 0)
		throw invalidParams(
			`the arguments do not fit the inputSchema: ${problems.join("; ")}`,
		);
	const texts = known.get(schema) ?? new Set();
	known.set(schema, texts);
	if (texts.size < MAX_KNOWN && text.length <= MAX_KNOWN_LENGTH)
		texts.add(text);
}
