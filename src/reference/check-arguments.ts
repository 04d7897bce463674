// Event arguments against a type's inputSchema, with a refusal that tells the client everything that does not fit.
import { findProblems } from "../arguments/index.ts";
import { invalidParams } from "./refusal.ts";

export async function checkArguments(
	args: Record<string, unknown>,
	schema: Record<string, unknown>,
): Promise<void> {
	const problems = await findProblems(args, schema);
	if (problems.length > 0)
		throw invalidParams(
			`the arguments do not fit the inputSchema: ${problems.join("; ")}`,
		);
}
