// wire-schema-valid: every message of a scenario against the schema of the contract.
import { findProblems } from "../../arguments/index.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import type { WireMessage } from "../wire/record.ts";
import { type Inbound, tellDropped } from "../wire/trail.ts";
import { contractSchema, definitionOf } from "./contract-schema.ts";

export interface MessageRules {
	isResultTyped: boolean;
	/** Ends the run. */
	signal: AbortSignal;
	/** What the other rows of the scenario rest their complaints on. */
	blamed: ReadonlySet<WireMessage>;
	/** How many messages there were beside these. */
	dropped: number;
}

interface Violation {
	inbound: Inbound;
	problems: string[];
}

/** More of them say the same again. */
const MOST_MESSAGES = 400;
const TIMEOUT_MS = 2_000;

/**
 * One finding for all of these messages. A violation that another row tells of already is not told twice: one fault
 * turns one row, and this one stands for what no other looks at.
 */
export async function checkMessages(
	all: readonly Inbound[],
	rules: MessageRules,
): Promise<Finding> {
	const looked = all.slice(0, MOST_MESSAGES);
	if (looked.length === 0)
		return untestable(
			{ kind: "traffic", name: "a message of the server" },
			"the server sent nothing that could be checked",
		);
	const violations: Violation[] = [];
	for (const inbound of await suspectsOf(looked, rules)) {
		rules.signal.throwIfAborted();
		const problems = await problemsOf(inbound, rules);
		if (problems.length > 0) violations.push({ inbound, problems });
	}
	const rest = withoutBlamed(violations, rules.blamed);
	const [first] = rest;
	if (first)
		return broken(
			`${rest.length} of ${looked.length} messages do not fit the schema; the first: ${first.problems.slice(0, 3).join("; ")}`,
			...rest.slice(0, 5).map(({ inbound }) => inbound.frame),
		);
	const told = violations.length - rest.length;
	const also =
		told > 0
			? `; ${told} more do not, for which other rules already speak`
			: "";
	return holds(
		`${looked.length - told} messages fit the schema${also}${tellDropped(rules.dropped)}`,
	);
}

/** Without those that fit all together: to check each by itself takes ten times as long. */
async function suspectsOf(
	looked: readonly Inbound[],
	rules: MessageRules,
): Promise<readonly Inbound[]> {
	const innocent = new Set<Inbound>();
	for (const definition of new Set(looked.map(definitionOf))) {
		if (!definition) continue;
		rules.signal.throwIfAborted();
		const alike = looked.filter(
			(inbound) => definitionOf(inbound) === definition,
		);
		const { $ref, ...rest } = contractSchema(definition, rules);
		const problems = await findProblems(
			alike.map(({ frame }) => frame.value),
			{ ...rest, type: "array", items: { $ref } },
			{ timeoutMs: TIMEOUT_MS },
		).catch(() => undefined);
		if (problems?.length === 0)
			for (const inbound of alike) innocent.add(inbound);
	}
	return looked.filter((inbound) => !innocent.has(inbound));
}

async function problemsOf(
	inbound: Inbound,
	{ isResultTyped }: MessageRules,
): Promise<string[]> {
	const definition = definitionOf(inbound);
	if (!definition) return ["it is no JSON-RPC message"];
	const schema = contractSchema(definition, { isResultTyped });
	return findProblems(inbound.frame.value, schema, {
		timeoutMs: TIMEOUT_MS,
	}).catch(() => ["it is too deep or too large to be checked"]);
}

function withoutBlamed(
	violations: readonly Violation[],
	blamed: ReadonlySet<WireMessage>,
): Violation[] {
	const isBlamed = ({ inbound }: Violation) =>
		blamed.has(inbound.frame.record[0]);
	const known = new Set(
		violations.filter(isBlamed).flatMap(({ problems }) => problems.map(place)),
	);
	return violations.flatMap(({ inbound, problems }) => {
		const rest = problems.filter((problem) => !known.has(place(problem)));
		return rest.length > 0 ? [{ inbound, problems: rest }] : [];
	});
}

/** The same problem in another element or message reads the same but for its numbers and values. */
const place = (problem: string) =>
	problem.replace(/\[\d+\]/g, "[]").replace(/ is .*$/s, "");
