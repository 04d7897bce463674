// For how long a subscription is granted (events.md 6): any suggestion is taken, and clamped.
import { excerpt, isInstant } from "../../protocol/index.ts";
import {
	broken,
	type Finding,
	harmful,
	holds,
	untestable,
} from "../finding.ts";
import type { Subscribed } from "../receiving/subscriptions.ts";
import type { Check } from "../scenario.ts";
import { SIZES } from "../waits.ts";
import { errorOf, tellAnswer } from "../wire/answer.ts";
import { notTaken, subscribedRow, type WebhookGround } from "./ground.ts";

const HOUR_TOLD = `ttlMs ${SIZES.ttlSuggestionMs}`;

export const leaseChecks: Check<WebhookGround>[] = [
	subscribedRow(
		"ttl-refresh-before-lte-suggestion",
		async (_context, { main }) => {
			const value = main.result?.refreshBefore;
			const told = `${HOUR_TOLD}: refreshBefore ${excerpt(value, 60)}`;
			if (value === null)
				return untestable(
					{ kind: "answer", name: "events/subscribe with an expiry" },
					`${told}; ttl-null-only-when-requested tells of it`,
					main.answer,
				);
			const leaseMs = leaseOf(main);
			if (leaseMs === undefined)
				return harmful(
					`${told}, neither null nor an ISO 8601 time with a zone`,
					main.answer,
				);
			return leaseMs <= SIZES.ttlSuggestionMs + SIZES.ttlSlackMs
				? holds(`${told}, ${seconds(leaseMs)} from then`, main.answer)
				: broken(`${told}, ${seconds(leaseMs)} from then`, main.answer);
		},
	),

	subscribedRow("ttl-null-only-when-requested", async (_context, { main }) => {
		const value = main.result?.refreshBefore;
		const told = `${HOUR_TOLD}: refreshBefore ${excerpt(value, 60)}`;
		return value === null
			? broken(told, main.answer)
			: holds(told, main.answer);
	}),

	subscribedRow("ttl-omitted-means-default", async (_context, ground) => {
		const taken = await grant(ground, undefined);
		const { answer, result } = taken;
		await taken.release();
		const told = `without ttlMs: ${tellAnswer(answer)}`;
		if (!result) return refusedWish(ground, taken, told);
		return result.refreshBefore === null
			? broken(`${told}, which is no expiry`, answer)
			: holds(told, answer);
	}),

	subscribedRow("ttl-no-rejection-path", async (_context, ground) => {
		const taken: Subscribed[] = [];
		for (const ttlMs of [SIZES.ttlShortMs, SIZES.ttlLongMs, null]) {
			const one = await grant(ground, ttlMs);
			taken.push(one);
			const told = `ttlMs ${ttlMs}: ${tellAnswer(one.answer)}`;
			if (!one.result) return refusedWish(ground, one, told);
			await one.release();
		}
		return holds(
			`${SIZES.ttlShortMs} ms, ${SIZES.ttlLongMs} ms and null are taken; granted: ${taken
				.map(({ result }) => excerpt(result?.refreshBefore, 40))
				.join(", ")}`,
			...taken.map(({ answer }) => answer),
		);
	}),

	subscribedRow("ttl-refresh-regrants", regrant),
];

const MINUTE = 60_000;
/** Server and grader read their clocks at different moments. */
const SLACK_MS = 5_000;

/** One key is asked for a middle, a longer and a shorter time: none may depend on the one before. */
async function regrant(
	context: Parameters<Check<WebhookGround>["run"]>[0],
	ground: WebhookGround,
): Promise<Finding> {
	const first = await grant(ground, 20 * MINUTE);
	if (!first.result) return notTaken(ground, first);
	const longer = await first.again({ params: { ttlMs: 50 * MINUTE } });
	const shorter = await first.again({ params: { ttlMs: 10 * MINUTE } });
	const all = [first, longer, shorter];
	const leases = all.map(leaseOf);
	const cites = all.map(({ answer }) => answer);
	const told = `20, 50 and 10 minutes on one key: refreshBefore ${all
		.map(({ result }) => excerpt(result?.refreshBefore, 40))
		.join(", ")}`;
	const [middleMs, longMs, shortMs] = leases;
	if (middleMs === undefined || longMs === undefined || shortMs === undefined) {
		await first.release();
		return untestable(
			{ kind: "answer", name: "three grants with an expiry" },
			told,
			...cites,
		);
	}
	const isInOrder =
		shortMs <= middleMs + SLACK_MS && middleMs <= longMs + SLACK_MS;
	if (!isInOrder) {
		await first.release();
		return broken(`${told}: what was granted before still counts`, ...cites);
	}
	if (longMs - shortMs > SLACK_MS)
		return await endless(ground, { first, told, cites });
	// All the same: a server that grants but one length, or one that grants but once.
	await context.sleep(context.waits.regrantMs);
	const later = await first.again({ params: { ttlMs: 20 * MINUTE } });
	await first.release();
	const isNew = later.result?.refreshBefore !== first.result.refreshBefore;
	return isNew
		? holds(
				`${told}: one length, counted anew each time`,
				...cites,
				later.answer,
			)
		: broken(`${told}: no refresh moved it`, ...cites, later.answer);
}

/** An endless lease becomes a finite one by a refresh that asks for a time. */
async function endless(
	ground: WebhookGround,
	{
		first,
		told,
		cites,
	}: { first: Subscribed; told: string; cites: Subscribed["answer"][] },
): Promise<Finding> {
	const asked = await first.again({ params: { ttlMs: null } });
	if (asked.result?.refreshBefore !== null) {
		await first.release();
		return holds(told, ...cites);
	}
	const finite = await first.again({ params: { ttlMs: 10 * MINUTE } });
	await first.release();
	const all = [...cites, asked.answer, finite.answer];
	if (!finite.result) return notTaken(ground, finite);
	return finite.result.refreshBefore === null
		? broken(
				"an endless lease stayed endless when a time was asked for",
				...all,
			)
		: holds(`${told}; an endless one became finite`, ...all);
}

const grant = (
	{ subscribe, newCallback }: WebhookGround,
	ttlMs: number | null | undefined,
) =>
	subscribe({
		url: newCallback().url,
		params: ttlMs === undefined ? {} : { ttlMs },
	});

/** A refusal of a wish for a time, unless it is about something else. */
function refusedWish(
	ground: WebhookGround,
	taken: Subscribed,
	told: string,
): Finding {
	const name = errorOf(taken.answer)?.name;
	const isAbout =
		name !== undefined &&
		name !== "ResourceExhausted" &&
		name !== "CallbackEndpointError";
	return isAbout ? broken(told, taken.answer) : notTaken(ground, taken);
}

/** Milliseconds from the answer to the end of the lease; undefined where it has none that can be read. */
export function leaseOf({ result, answer }: Subscribed): number | undefined {
	const value = result?.refreshBefore;
	if (typeof value !== "string" || !isInstant(value)) return undefined;
	return Date.parse(value) - answer.endedAtMs;
}

const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`;
