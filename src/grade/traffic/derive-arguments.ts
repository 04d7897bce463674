// Arguments for an event type: those that the user gave, else the least that its schema demands, checked against it.
import { exampleArguments, findProblems } from "../../arguments/index.ts";
import { Fault } from "../../faults/index.ts";
import { isRecord } from "../../protocol/index.ts";
import type { EventType } from "./list-types.ts";

export type Derived =
	| { kind: "derived"; value: Record<string, unknown> }
	/** `why` says what stands in the way. */
	| { kind: "missing"; why: string };

/** Alternatives of one schema that are tried, at most. */
const MOST_BRANCHES = 8;

/** `given`: of --arguments, by the name of the event type; taken as it is, so that a wrong one can be tried too. */
export async function deriveArguments(
	type: Pick<EventType, "name" | "inputSchema">,
	given: ReadonlyMap<string, Record<string, unknown>>,
): Promise<Derived> {
	const override = given.get(type.name);
	if (override) return { kind: "derived", value: override };
	const schema = isRecord(type.inputSchema) ? type.inputSchema : undefined;
	let why = "no value can be made up from the schema";
	for (const candidate of candidatesOf(schema)) {
		try {
			const problems = await findProblems(candidate, schema);
			if (problems.length === 0) return { kind: "derived", value: candidate };
			why = problems.slice(0, 3).join("; ");
		} catch (fault) {
			if (!(fault instanceof Fault)) throw fault;
			why = fault.what;
		}
	}
	return { kind: "missing", why };
}

/** The least that is demanded; then the same with each alternative of the top level in place of the first. */
function candidatesOf(
	schema: Record<string, unknown> | undefined,
): Record<string, unknown>[] {
	const variants = [schema];
	for (const keyword of ["anyOf", "oneOf"] as const) {
		const branches: unknown = schema?.[keyword];
		if (!Array.isArray(branches)) continue;
		for (const branch of branches.slice(1, MOST_BRANCHES))
			variants.push({ ...schema, [keyword]: [branch] });
	}
	return variants.map(exampleOf).filter((example) => example !== undefined);
}

/** A hostile schema may break the making up, too. */
function exampleOf(schema: unknown): Record<string, unknown> | undefined {
	try {
		return exampleArguments(schema);
	} catch (fault) {
		if (fault instanceof Fault || fault instanceof RangeError) return undefined;
		throw fault;
	}
}
