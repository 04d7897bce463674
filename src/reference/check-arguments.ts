// Event arguments against a type's inputSchema, with a refusal that tells the client everything that does not fit.
import { findProblems } from "../arguments/index.ts";
import { invalidParams } from "./refusal.ts";

/** Arguments known to fit, by schema: a poller sends the same ones every second, and a check takes milliseconds. */
const known = new WeakMap<object, Set<string>>();
const MAX_KNOWN = 1_000;
const MAX_KNOWN_LENGTH = 1_000;

export async function checkArguments(
	args: Record<string, unknown>,
	schema: Record<string, unknown>,
): Promise<void> {
	const text = JSON.stringify(args);
	if (known.get(schema)?.has(text)) return;
	const problems = await findProblems(args, schema);
	if (problems.length > 0)
		throw invalidParams(
			`the arguments do not fit the inputSchema: ${problems.join("; ")}`,
		);
	const texts = known.get(schema) ?? new Set();
	known.set(schema, texts);
	if (texts.size < MAX_KNOWN && text.length <= MAX_KNOWN_LENGTH)
		texts.add(text);
}
