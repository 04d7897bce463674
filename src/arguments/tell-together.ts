// Several problems of one input as the parts of one fault.

const PROBLEMS_LIMIT = 20;

/** One problem is the fault itself; several are counted, and listed as the evidence. */
export function tellTogether(
	problems: string[],
	summary: string,
): { what: string; why?: string } {
	if (problems.length === 1) return { what: `${summary}: ${problems[0]}` };
	const shown = problems.slice(0, PROBLEMS_LIMIT);
	const more = problems.length - shown.length;
	return {
		what: `${summary}: ${problems.length} problems`,
		why: `${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`,
	};
}
