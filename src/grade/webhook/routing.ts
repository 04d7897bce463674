// The routing header with the event's name on both methods (events.md 1, HTTP headers).

import { randomBytes } from "node:crypto";
import { encodeHeaderValue, HEADERS, METHODS } from "../../protocol/index.ts";
import { newSecret } from "../../signing/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, skipped } from "../finding.ts";
import type { Check } from "../scenario.ts";
import { type Answer, errorOf, tellAnswer } from "../wire/answer.ts";
import { subscribedRow, type WebhookGround } from "./ground.ts";

export const routingChecks: Check<WebhookGround>[] = [
	subscribedRow("mcp-name-missing-rejected", (context, ground) =>
		tryHeader(context, ground, undefined),
	),

	subscribedRow("mcp-name-mismatch-rejected", (context, ground) => {
		const { name } = ground.subject;
		const other =
			context.listing.types.find((type) => type.name !== name)?.name ??
			`${name}.other`;
		return tryHeader(context, ground, other);
	}),
];

async function tryHeader(
	{ wire }: GradeContext,
	{ subject, newCallback }: WebhookGround,
	value: string | undefined,
): Promise<Finding> {
	if (wire.era === "legacy")
		return skipped("an initialize client owes no routing headers");
	const headers = {
		[HEADERS.name]: value === undefined ? undefined : encodeHeaderValue(value),
	};
	const key = { name: subject.name, arguments: subject.arguments };
	const { url } = newCallback();
	const delivery = { mode: "webhook", url };
	const subscribed = await wire.ask(
		METHODS.subscribe,
		{
			...key,
			delivery: { ...delivery, secret: newSecret(randomBytes).reveal() },
			cursor: null,
		},
		{ headers },
	);
	const unsubscribed = await wire.ask(
		METHODS.unsubscribe,
		{ ...key, delivery },
		{ headers },
	);
	// Whatever became of it: a server may keep what it refuses.
	await wire.ask(METHODS.unsubscribe, { ...key, delivery });
	const answers = [subscribed, unsubscribed];
	const what =
		value === undefined
			? `without ${HEADERS.name}`
			: `${HEADERS.name} names ${value}`;
	const told = `${what}: ${answers.map((answer) => `${answer.method} ${tellAnswer(answer)}`).join("; ")}`;
	const wrong = answers.filter((answer) => !isMismatch(answer));
	return wrong.length > 0 ? broken(told, ...wrong) : holds(told, ...answers);
}

const isMismatch = (answer: Answer) =>
	answer.status === 400 && errorOf(answer)?.name === "HeaderMismatch";
