// The first subscribe of all, and what every later answer to one must have in common with it (events.md 6, Subscribe).
import { excerpt, METHODS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, odd, untestable } from "../finding.ts";
import { type Check, checkRow } from "../scenario.ts";
import { type Answer, errorOf, resultOf, tellAnswer } from "../wire/answer.ts";
import { notTaken, type WebhookGround } from "./ground.ts";
import { hasCredentials } from "./principals.ts";

export const firstSubscribeChecks: Check<WebhookGround>[] = [
	checkRow("subscribe-webhook-only", async (context, ground) => {
		const { answer } = ground.main;
		const told = `a well-formed subscribe of ${ground.subject.name}: ${tellAnswer(answer)}`;
		if (resultOf(answer)) return holds(told, answer);
		const name = errorOf(answer)?.name;
		if (name === "MethodNotFound")
			return broken(`${told}, although the type lists webhook`, answer);
		if (ground.place.lacking && !ground.isReachable)
			return notTaken(ground, ground.main);
		if (name === "Forbidden" && !hasCredentials(context))
			return untestable(
				{
					kind: "credential",
					name: "credentials for the server: --header or --bearer-env",
				},
				"webhooks need a principal, and this run has none",
				answer,
			);
		return name === undefined ? broken(told, answer) : odd(told, answer);
	}),
];

/** Over every answer of the scenario. */
export const answerChecks: Check<WebhookGround>[] = [
	overResults(
		"subscribe-response-cursor",
		"cursor",
		(value) => value === null || typeof value === "string",
	),
	overResults(
		"subscribe-response-truncated",
		"truncated",
		(value) => typeof value === "boolean",
	),

	checkRow(
		"unsubscribe-result-empty",
		async (context) => {
			const answers = resultsOf(context, METHODS.unsubscribe);
			if (answers.length === 0) return noAnswer(METHODS.unsubscribe);
			const fuller = answers.filter((answer) => strangersIn(answer).length > 0);
			const [first] = fuller;
			return first
				? broken(
						`${fuller.length} of ${answers.length} results hold more: ${excerpt(strangersIn(first), 120)}`,
						...fuller,
					)
				: holds(
						`all ${answers.length} results are empty`,
						...answers.slice(0, 3),
					);
		},
		{ phase: "closing", leansOn: ["unsubscribe-by-key"] },
	),
];

/** A member that may be left out; where it stands it has to have its type. */
function overResults(
	id: string,
	member: string,
	isRight: (value: unknown) => boolean,
): Check<WebhookGround> {
	return checkRow(
		id,
		async (context) => {
			const answers = resultsOf(context, METHODS.subscribe);
			if (answers.length === 0) return noAnswer(METHODS.subscribe);
			const has = answers.filter((answer) => memberOf(answer, member).isThere);
			const wrong = has.filter(
				(answer) => !isRight(memberOf(answer, member).value),
			);
			const [first] = wrong;
			if (first)
				return broken(
					`${member} is ${excerpt(memberOf(first, member).value, 80)} in ${wrong.length} of ${answers.length} answers`,
					...wrong,
				);
			return holds(
				`${member} stands in ${has.length} of ${answers.length} answers, and is right in each`,
				...answers.slice(0, 3),
			);
		},
		{ phase: "closing" },
	);
}

function memberOf(answer: Answer, member: string) {
	const result = resultOf(answer) ?? {};
	return { isThere: member in result, value: result[member] };
}

const resultsOf = ({ trail }: GradeContext, method: string) =>
	trail.answers.filter(
		(answer) => answer.method === method && resultOf(answer),
	);

const strangersIn = (answer: Answer) =>
	Object.keys(resultOf(answer) ?? {}).filter(
		(key) => key !== "resultType" && key !== "_meta",
	);

const noAnswer = (method: string): Finding =>
	untestable({ kind: "answer", name: method }, "no result of it came");
