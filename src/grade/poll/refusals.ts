// Polls that cannot be served, and the errors that say so (events.md 1, Errors, and 4).
import { isRecord, METHODS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { isErrorOf } from "../error-names.ts";
import { broken, type Finding, holds, odd, untestable } from "../finding.ts";
import { type Check, checkRow } from "../scenario.ts";
import type { Subject } from "../traffic/subject.ts";
import {
	type Answer,
	errorOf,
	resultOf,
	tellAnswer,
	tellError,
} from "../wire/answer.ts";
import type { PollGround } from "./ground.ts";
import { makeWrongArguments } from "./wrong-arguments.ts";

export const refusalChecks: Check<PollGround>[] = [
	checkRow("poll-one-subscription-per-request", async ({ wire }) => {
		const answer = await wire.ask(METHODS.poll, {
			arguments: {},
			cursor: null,
		});
		const told = `without a name: ${tellAnswer(answer)}`;
		const error = errorOf(answer);
		if (!error) return broken(told, answer);
		const isRight =
			error.name === "InvalidParams" || error.name === "HeaderMismatch";
		return isRight ? holds(told, answer) : odd(told, answer);
	}),

	{
		ids: ["poll-errors-are-jsonrpc", "poll-invalid-arguments"],
		async run(context, ground) {
			const unknown = await askUnknown(context);
			const wrong = await askWrong(context, ground);
			const answers = wrong.map(({ answer }) => answer);
			return {
				"poll-errors-are-jsonrpc": judgeForm([unknown, ...answers], unknown),
				"poll-invalid-arguments": judgeWrong(wrong, ground),
			};
		},
	},

	checkRow("error-invalid-params", async ({ wire }, { subject }) => {
		const { name } = subject;
		const good = { name, arguments: subject.arguments, cursor: null };
		const tried = [
			{ told: "arguments as a text", params: { ...good, arguments: "none" } },
			{ told: "a number as the cursor", params: { ...good, cursor: 7 } },
			{ told: "maxAgeMs as a text", params: { ...good, maxAgeMs: "soon" } },
		];
		const answers: Answer[] = [];
		for (const [at, { told, params }] of tried.entries()) {
			const answer = await wire.ask(METHODS.poll, params);
			answers.push(answer);
			if (errorOf(answer)?.name === "InvalidParams") continue;
			// Only the first is wrong whatever a server reads of the rest.
			if (resultOf(answer) && at > 0) continue;
			return broken(`${told}: ${tellAnswer(answer)}`, answer);
		}
		const refused = answers.filter((answer) => errorOf(answer));
		return holds(
			`${refused.length} of ${answers.length} wrong requests are refused, all with -32602`,
			...refused,
		);
	}),

	checkRow("poll-mode-unsupported", async (context, ground) => {
		const { subjects, wire, profile } = context;
		const other = await subjects.withoutMode("poll");
		if (!other)
			return untestable(
				{ kind: "traffic", name: "an event type that does not offer poll" },
				"every type of the catalogue offers it",
				ground.first.answer,
			);
		const answer = await wire.ask(METHODS.poll, {
			name: other.name,
			arguments: other.arguments,
			cursor: null,
		});
		const told = `${other.name} does not offer poll: ${tellAnswer(answer)}`;
		const error = errorOf(answer);
		if (!error || !isErrorOf(error, "Unsupported", profile))
			return broken(told, answer);
		const { data } = error;
		return isRecord(data) && data.feature === "deliveryMode"
			? holds(told, answer)
			: odd(`${told}, and data does not name deliveryMode`, answer);
	}),
];

/** A name that no catalogue has. */
export function askUnknown({ wire, unique }: GradeContext): Promise<Answer> {
	const name = `conformance.nonexistent.${unique()}`;
	return wire.ask(METHODS.poll, { name, arguments: {}, cursor: null });
}

interface Refused {
	told: string;
	subject: Subject;
	answer: Answer;
}

/** The arguments of the first type whose schema refuses any. */
async function askWrong(
	{ wire, subjects }: GradeContext,
	{ subject }: PollGround,
): Promise<Refused[]> {
	const refused: Refused[] = [];
	for (const each of [subject, ...(await subjects.withMode("poll"))]) {
		for (const { told, value } of await makeWrongArguments(each)) {
			const params = { name: each.name, arguments: value, cursor: null };
			const answer = await wire.ask(METHODS.poll, params);
			refused.push({ told, subject: each, answer });
		}
		if (refused.length > 0) break;
	}
	return refused;
}

function judgeForm(answers: readonly Answer[], unknown: Answer): Finding {
	const inside = answers.find(hasErrorInside);
	if (inside)
		return broken(
			`${tellAnswer(inside)}: the error stands inside a result`,
			inside,
		);
	const error = errorOf(unknown);
	return error
		? holds(`an unknown name: ${tellError(error)}`, unknown)
		: broken(
				`an unknown name is answered with ${tellAnswer(unknown)}`,
				unknown,
			);
}

function hasErrorInside(answer: Answer): boolean {
	const result = resultOf(answer) ?? {};
	return ["error", "errors", "isError"].some((member) => member in result);
}

function judgeWrong(
	refused: readonly Refused[],
	{ subject, first }: PollGround,
): Finding {
	if (refused.length === 0)
		return untestable(
			{ kind: "traffic", name: "an inputSchema that refuses something" },
			`that of ${subject.name} takes everything that was made up`,
			first.answer,
		);
	for (const { told, answer, subject: of } of refused) {
		if (errorOf(answer)?.name === "InvalidParams") continue;
		if (hasErrorInside(answer))
			return untestable(
				{ kind: "answer", name: "events/poll with wrong arguments" },
				"it is answered with a result; poll-errors-are-jsonrpc tells of it",
				answer,
			);
		return broken(`${of.name}, ${told}: ${tellAnswer(answer)}`, answer);
	}
	return holds(
		`-32602 for ${refused.map(({ told }) => told).join("; ")}`,
		...refused.map(({ answer }) => answer),
	);
}
