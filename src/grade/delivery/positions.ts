// What the cursors of deliveries are worth: a subscription that is made with one shows where it lies (events.md 6, 7).
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { answerStatus } from "../receiving/behaviour.ts";
import {
	type CallbackRequest,
	eventIdOf,
	timeOf,
} from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import {
	deliveryCheck,
	noEvent,
	type Probe,
	refusedProbe,
	type Stage,
} from "./stage.ts";

/** Four waits, one after the other, where little happens. */
const LIMIT_MS = 120_000;

export const positionChecks: Check<Stage>[] = [
	deliveryCheck(
		["delivery-cursor-safe-watermark", "delivery-cursor-after-exhaustion"],
		tryHeldEvent,
		{ lane: "positions", limitMs: LIMIT_MS },
	),
];

export const cursorOf = ({ json }: CallbackRequest): string | undefined =>
	typeof json?.cursor === "string" ? json.cursor : undefined;

export const noReplay = (...cites: CallbackRequest[]): Finding =>
	untestable(
		{ kind: "feature", name: "a webhook type whose deliveries carry a cursor" },
		"the cursor of its deliveries is null or missing",
		...cites,
	);

/** A path that never takes the first event, and takes all others. */
async function openHolding(stage: Stage): Promise<Probe> {
	let held: string | undefined;
	return await stage.open({
		behaviour: {
			delivery(request) {
				if (request.kind !== "event") return answerStatus(204);
				held ??= eventIdOf(request);
				return answerStatus(eventIdOf(request) === held ? 503 : 204);
			},
		},
	});
}

async function tryHeldEvent(context: GradeContext, stage: Stage) {
	const probe = await openHolding(stage);
	const both = (finding: Finding) => ({
		"delivery-cursor-safe-watermark": finding,
		"delivery-cursor-after-exhaustion": finding,
	});
	if (!probe.sub.result) return both(refusedProbe(probe));
	const held = await stage.nextEvent(probe.path);
	if (!held) return both(noEvent(probe.sub.answer));
	const later = await stage.nextEvent(
		probe.path,
		0,
		(request) =>
			timeOf(request) > timeOf(held) &&
			!probe.path.attemptsOf(held).includes(request),
	);
	if (!later) return both(noEvent(held));
	const cursor = cursorOf(later);
	if (cursor === undefined) return both(noReplay(later));
	const trial = { probe, held, later, cursor };
	const safe = await judgeSafe(context, stage, trial);
	const after = await judgeExhaustion(context, trial);
	await probe.sub.release();
	return {
		"delivery-cursor-safe-watermark": safe,
		"delivery-cursor-after-exhaustion": after,
	};
}

interface Trial {
	probe: Probe;
	/** Never taken. */
	held: CallbackRequest;
	/** Taken, while that one was not. */
	later: CallbackRequest;
	cursor: string;
}

/** Events after which the one that should have come first will not come any more. */
const ENOUGH = 30;

/** Whoever begins at the cursor of the later event must still get the earlier one. */
async function judgeSafe(
	{ waits }: GradeContext,
	stage: Stage,
	{ probe, held, later, cursor }: Trial,
): Promise<Finding> {
	const reader = await stage.open({ params: { cursor } });
	if (!reader.sub.result) return refusedProbe(reader);
	const isHeld = (request: CallbackRequest) =>
		eventIdOf(request) === eventIdOf(held);
	const isUnsettled = () => isUnsettledAt(later, held, probe);
	const isDecided = () =>
		reader.path.events.some(isHeld) || reader.path.events.length >= ENOUGH;
	await Promise.all([
		reader.path.waitUntil(isDecided, waits.deliveryMs),
		// Only an event that is tried again was not given up when the later one came.
		probe.path.waitUntil(isUnsettled, waits.deliveryMs),
	]);
	await reader.sub.release();
	const again = reader.path.events.find(isHeld);
	if (again)
		return holds(
			"whoever begins at the cursor of a later event gets the one that was not taken",
			held,
			later,
			again,
		);
	if (!isUnsettled())
		return untestable(
			{ kind: "traffic", name: "a retry of a delivery that was answered 503" },
			"the event was not sent again, and may have been given up before the later one came",
			held,
			later,
		);
	if (reader.path.events.length === 0) return noEvent(reader.sub.answer);
	return broken(
		"the cursor of a later event lies behind one that was neither taken nor given up: whoever begins there misses it",
		held,
		later,
		...reader.path.events.slice(0, 1),
	);
}

const isUnsettledAt = (
	later: CallbackRequest,
	held: CallbackRequest,
	{ path }: Probe,
) => path.attemptsOf(held).some(({ atMs }) => atMs > later.atMs);

/**
 * The first event whose cursor is another than it was before the second attempt. By then all that happened before the
 * event that is never taken has arrived, so that nothing else can hold the cursor back.
 */
function findMoved(
	events: readonly CallbackRequest[],
	attempts: readonly CallbackRequest[],
): CallbackRequest | undefined {
	const [, second] = attempts;
	if (!second) return undefined;
	const others = events.filter((event) => !attempts.includes(event));
	const waiting =
		others.findLast(({ atMs }) => atMs < second.atMs) ?? others[0];
	if (!waiting) return undefined;
	return others.find(
		(event) =>
			event.atMs > second.atMs &&
			cursorOf(event) !== undefined &&
			cursorOf(event) !== cursorOf(waiting),
	);
}

/** So many times the last pause between two attempts, and it will not be tried again. */
const PAUSES = 8;
const LEAST_ATTEMPTS = 3;

async function judgeExhaustion(
	{ waits, now }: GradeContext,
	{ probe, held }: Trial,
): Promise<Finding> {
	const { path } = probe;
	const attempts = () => path.attemptsOf(held);
	const moved = () => findMoved(path.events, attempts());
	const isGivenUp = () => {
		const times = attempts().map(({ atMs }) => atMs);
		const last = times.at(-1) ?? 0;
		const pauseMs = Math.max(last - (times.at(-2) ?? 0), 100);
		return times.length >= LEAST_ATTEMPTS && now() - last > PAUSES * pauseMs;
	};
	await path.waitUntil(
		() => moved() !== undefined || isGivenUp(),
		waits.deliveryMs,
	);
	const found = moved();
	if (found)
		return holds(
			`the cursor moved on after ${attempts().length} attempts at the event that was never taken`,
			held,
			found,
		);
	if (isGivenUp())
		return broken(
			`no attempt follows the ${attempts().length} at an event, and the cursor of later ones still waits for it`,
			...attempts(),
			...path.events.slice(-1),
		);
	return untestable(
		{
			kind: "time",
			name: "a server that gives up an event within this time, such as one with short retry delays",
		},
		`after ${attempts().length} attempts the server had not yet given up the event`,
		...attempts(),
	);
}
