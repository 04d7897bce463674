// The routing header with the event's name (events.md 1, HTTP headers).
import { encodeHeaderValue, HEADERS, METHODS } from "../../protocol/index.ts";
import { broken, type Finding, holds, skipped } from "../finding.ts";
import { type Check, checkRow } from "../scenario.ts";
import { type Answer, errorOf, tellAnswer } from "../wire/answer.ts";
import type { PollGround } from "./ground.ts";

export const headerChecks: Check<PollGround>[] = [
	checkRow("mcp-name-missing-rejected", async ({ wire }, { subject }) => {
		if (wire.era === "legacy") return noHeaders();
		const answer = await wire.ask(METHODS.poll, paramsOf(subject), {
			headers: { [HEADERS.name]: undefined },
		});
		const told = `without ${HEADERS.name}: ${tellAnswer(answer)}`;
		return isMismatch(answer) ? holds(told, answer) : broken(told, answer);
	}),

	checkRow("mcp-name-mismatch-rejected", async (context, { subject }) => {
		const { wire, listing, unique } = context;
		if (wire.era === "legacy") return noHeaders();
		const other =
			listing.types.find(({ name }) => name !== subject.name)?.name ??
			`${subject.name}.other`;
		const headers = { [HEADERS.name]: encodeHeaderValue(other) };
		const wrong = await wire.ask(METHODS.poll, paramsOf(subject), { headers });
		const told = `${HEADERS.name} names ${other}: ${tellAnswer(wrong)}`;
		if (!isMismatch(wrong)) return broken(told, wrong);
		// No header can carry this one as it is: it must be decoded before it is compared.
		const name = `conformance.ünknown.${unique()}`;
		const encoded = await wire.ask(METHODS.poll, paramsOf({ name }), {
			headers: { [HEADERS.name]: encodeHeaderValue(name) },
		});
		return errorOf(encoded)?.name === "HeaderMismatch"
			? broken(
					`a name beyond ASCII in its encoded form, the same in both places, is answered with ${tellAnswer(encoded)}`,
					encoded,
				)
			: holds(told, wrong, encoded);
	}),
];

const paramsOf = (subject: { name: string; arguments?: object }) => ({
	name: subject.name,
	arguments: subject.arguments ?? {},
	cursor: null,
});

const isMismatch = (answer: Answer) =>
	answer.status === 400 && errorOf(answer)?.name === "HeaderMismatch";

const noHeaders = (): Finding =>
	skipped("an initialize client owes no routing headers");
