// Deliveries that fail: sent again, afresh and within bounds, and not at all after 410 and 413 (events.md 6, Deliveries).
import { WEBHOOK_HEADERS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { always, failFirst } from "../receiving/behaviour.ts";
import {
	type CallbackRequest,
	eventIdOf,
	headerOf,
} from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import { SIZES } from "../waits.ts";
import { judgeStatus } from "./delivery-status.ts";
import { judgeRefused, openRefusing } from "./refused.ts";
import { deliveryCheck, type Probe, type Stage } from "./stage.ts";

/** An event, its retries, and the time in which nothing more may come. */
const LIMIT_MS = 120_000;

export const retryChecks: Check<Stage>[] = [
	deliveryCheck(
		[
			"delivery-retry-regenerates-signature",
			"delivery-retries-bounded",
			"delivery-410-non-retryable",
			"delivery-413-non-retryable",
			"delivery-status-last-error-category",
			"event-id-stable",
		],
		tryFailures,
		{ lane: "retries", limitMs: LIMIT_MS },
	),
];

/** What an endpoint says that fails; it must not come back from anywhere. */
const WORDS = "the-words-of-a-failing-endpoint";

async function tryFailures(context: GradeContext, stage: Stage) {
	const [flaky, dead, gone, large] = await Promise.all([
		stage.open({ behaviour: failFirst(2) }),
		stage.open({ behaviour: always(503, WORDS) }),
		openRefusing(stage, 410),
		openRefusing(stage, 413),
	]);
	const all = [flaky, dead, gone, large];
	await Promise.all(
		all.map(({ path, sub }) => sub.result && stage.nextEvent(path)),
	);
	const gapMs = await seeRetries([flaky, dead], context);
	// As long again as a retry took: what is not sent again by then will not be.
	const settleMs = Math.max(context.waits.deliverySettleMs, (gapMs ?? 0) * 1.5);
	await context.sleep(settleMs);
	if (gone.path.events.length === 1)
		await stage.nextEvent(gone.path, 1, ({ nth }) => nth > 1);
	const refreshed = await dead.sub.again();
	await Promise.all(all.map(({ sub }) => sub.release()));
	const isRetrying = gapMs !== undefined;
	return {
		"delivery-retry-regenerates-signature": judgeFreshness([flaky, dead]),
		"delivery-retries-bounded": judgeBound(dead),
		"delivery-410-non-retryable": judgeRefused(gone, {
			status: 410,
			isRetrying,
			stage,
		}),
		"delivery-413-non-retryable": judgeRefused(large, {
			status: 413,
			isRetrying,
			stage,
		}),
		"delivery-status-last-error-category": judgeStatus(refreshed, WORDS),
		"event-id-stable": judgeEventIds([flaky, dead]),
	};
}

/** The longest time from a first attempt to the next; undefined where nothing came twice in time. */
async function seeRetries(
	probes: readonly Probe[],
	{ waits }: GradeContext,
): Promise<number | undefined> {
	await Promise.all(
		probes.map((probe) =>
			probe.path.waitUntil(
				() => attemptsOfFirst(probe).length > 1,
				waits.deliveryMs,
			),
		),
	);
	const gaps = probes.flatMap((probe) => {
		const [first, second] = attemptsOfFirst(probe);
		return first && second ? [second.atMs - first.atMs] : [];
	});
	return gaps.length === 0 ? undefined : Math.max(...gaps);
}

function attemptsOfFirst({ path }: Probe): CallbackRequest[] {
	const [first] = path.events;
	return first ? path.attemptsOf(first) : [];
}

const noRetry = (cites: readonly CallbackRequest[]): Finding =>
	untestable(
		{ kind: "traffic", name: "a retry of a delivery that was answered 503" },
		cites.length === 0
			? "nothing was delivered to the callbacks that fail"
			: "it was not sent again in time",
		...cites,
	);

function judgeFreshness(probes: readonly Probe[]): Finding {
	const series = probes
		.map(attemptsOfFirst)
		.filter((attempts) => attempts.length > 1);
	if (series.length === 0) return noRetry(probes.flatMap(attemptsOfFirst));
	// Timestamps count seconds: within one, they may well be the same.
	const long = series.filter(
		(attempts) => spanMsOf(attempts) >= SIZES.retrySpacingMs,
	);
	if (long.length === 0)
		return untestable(
			{ kind: "time", name: "retries that are a second apart" },
			`the retries of ${series.length} events came within a second each`,
			...series.flat(),
		);
	// One that differs is enough: what is sent afresh may still arrive long after it was signed.
	for (const name of [WEBHOOK_HEADERS.timestamp, WEBHOOK_HEADERS.signature])
		for (const attempts of long) {
			const values = new Set(attempts.map((of) => headerOf(of, name)));
			if (values.size === 1 && !values.has(undefined))
				return broken(
					`${name} is still the same ${spanMsOf(attempts)} ms later`,
					...attempts,
				);
		}
	return holds(
		`timestamp and signature are made anew for the retries of ${long.length} events`,
		...long.flat().slice(0, 4),
	);
}

function spanMsOf(attempts: readonly CallbackRequest[]): number {
	const [first] = attempts;
	const last = attempts.at(-1);
	return first && last ? last.atMs - first.atMs : 0;
}

function judgeBound(probe: Probe): Finding {
	const attempts = attemptsOfFirst(probe);
	if (attempts.length < 2) return noRetry(attempts);
	const seen = `${attempts.length} attempts at one event within ${spanMsOf(attempts)} ms`;
	return attempts.length > SIZES.retryAttempts
		? broken(`${seen}, all answered 503`, ...attempts)
		: holds(seen, ...attempts);
}

function judgeEventIds(probes: readonly Probe[]): Finding {
	const series = probes.map(attemptsOfFirst);
	if (series.every((attempts) => attempts.length < 2))
		return noRetry(series.flat());
	for (const attempts of series) {
		const [first] = attempts;
		const other = attempts.find(
			(attempt) => first && eventIdOf(attempt) !== eventIdOf(first),
		);
		if (first && other)
			return broken(
				`the attempts of one message carry the eventIds ${JSON.stringify(eventIdOf(first))} and ${JSON.stringify(eventIdOf(other))}`,
				first,
				other,
			);
	}
	return holds(
		`${series.flat().length} attempts carry the eventIds of their events`,
		...series.flat().slice(0, 4),
	);
}
