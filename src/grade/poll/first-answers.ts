// The first poll and the members of its result (events.md 4).
import { excerpt } from "../../protocol/index.ts";
import { broken, holds } from "../finding.ts";
import { type Check, checkRow } from "../scenario.ts";
import { errorOf, tellAnswer } from "../wire/answer.ts";
import { firstRow, noFirst, type PollGround } from "./ground.ts";
import type { Polled } from "./polled.ts";

export const firstAnswerChecks: Check<PollGround>[] = [
	checkRow("poll-implemented", async (_context, ground) => {
		const { first, attempts } = ground;
		const { result, answer } = first;
		if (!result) {
			const isArguments = errorOf(answer)?.name === "InvalidParams";
			const hint = isArguments
				? `; if it was the arguments: --arguments ${first.subject.name}=JSON`
				: "";
			return broken(
				`a poll of ${first.subject.name} is answered with ${tellAnswer(answer)}${hint}`,
				...attempts.map(({ polled }) => polled.answer),
			);
		}
		const members = Object.keys(result).slice(0, 8).join(", ");
		return holds(`a poll is answered with ${members}`, answer);
	}),

	checkRow("poll-bootstraps-subscription", async (_context, ground) => {
		const [asked] = ground.attempts;
		if (asked.polled.result)
			return holds(
				"the first poll, with nothing before it, is served",
				asked.polled.answer,
			);
		const served = ground.attempts.find(({ polled }) => polled.result);
		if (!served) return noFirst(ground);
		return broken(
			`the first poll is answered with ${tellAnswer(asked.polled.answer)}; ${served.told} it is served`,
			asked.polled.answer,
			served.polled.answer,
		);
	}),

	resultsRow("poll-events-array", ({ result }) => {
		if (!result || Array.isArray(result.events)) return undefined;
		return `events is ${excerpt(result.events, 80)}, no array`;
	}),

	resultsRow("poll-has-more", ({ result }) => {
		const hasMore = result?.hasMore;
		if (hasMore === undefined || typeof hasMore === "boolean") return undefined;
		return `hasMore is ${excerpt(hasMore, 80)}, no boolean`;
	}),

	resultsRow("cursor-opaque", ({ result }) => {
		const cursor = result?.cursor ?? null;
		if (cursor === null || typeof cursor === "string") return undefined;
		return `cursor is ${excerpt(cursor, 80)}, neither a string nor null`;
	}),

	resultsRow("poll-next-poll-ms", ({ result }) => {
		const { nextPollMs, nextPollSeconds } = result ?? {};
		if (typeof nextPollMs === "number" && nextPollMs >= 0) return undefined;
		const older =
			nextPollSeconds === undefined
				? ""
				: `; there is nextPollSeconds ${excerpt(nextPollSeconds, 40)}, the older spelling`;
		return `nextPollMs is ${excerpt(nextPollMs, 80)}${older}`;
	}),
];

/** A row about a member of every result: the first offender stands for all. */
function resultsRow(
	id: string,
	judge: (polled: Polled) => string | undefined,
): Check<PollGround> {
	return firstRow(id, (_result, { log, first, unlogged }) => {
		const results = log.filter(({ result }) => result);
		for (const polled of results) {
			const found = judge(polled);
			if (found !== undefined) return broken(found, polled.answer);
		}
		const others = unlogged();
		const also = others > 0 ? `; ${others} more were too large to keep` : "";
		return holds(`so on all ${results.length} results${also}`, first.answer);
	});
}
