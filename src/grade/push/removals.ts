// Event types that go away, change so that it hurts, or only grow: which subscriptions end, and with which error.
import { DELIVERY_MODES } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { listTypes } from "../traffic/list-types.ts";
import type { Subject } from "../traffic/subject.ts";
import { type Frame, readError } from "../wire/frame.ts";
import type { GradeStream } from "../wire/stream.ts";
import { type Farewell, type HeldWebhook, holdWebhook } from "./farewell.ts";
import {
	isTerminated,
	openStanding,
	type PushGround,
	pushRow,
	pushRows,
} from "./ground.ts";
import { judgeChanged, judgeNotFound } from "./removal-errors.ts";

const ALONE = { phase: "changes" } as const;

const ROWS = [
	"removal-terminates-subscriptions",
	"removal-error-not-found",
	"removal-error-schema-changed",
] as const;

/** The control takes an addition back as a change that breaks, so that the growth comes first. */
export const removalChecks = [
	pushRow("removal-additive-no-terminate", grow, ALONE),
	pushRows(ROWS, breakAndRemove, ALONE),
];

export const NO_VICTIM = untestable(
	{
		kind: "traffic",
		name: "a second event type that offers push, and can be used up",
	},
	"the first one of each mode is what everything else is tried on",
);

/** The last type of push that nothing else is tried on. */
export async function findVictim({
	subjects,
	listing,
}: GradeContext): Promise<Subject | undefined> {
	const firsts = DELIVERY_MODES.map((mode) =>
		listing.types.find(({ modes }) => modes.includes(mode)),
	);
	const push = await subjects.withMode("push");
	return push.findLast(({ type }) => !firsts.includes(type));
}

async function grow(
	context: GradeContext,
	ground: PushGround,
): Promise<Finding> {
	const before = await findVictim(context);
	const seen = await change(context, ground, "alter", {
		async look(stream) {
			await stream.waitFor(isTerminated, context.waits.noReplayGapMs);
			const { types } = await listTypes(context.wire);
			return types.find(({ name }) => name === before?.name);
		},
	});
	if (seen.kind === "untried") return seen.finding;
	const { stream, terminated, looked: after } = seen;
	if (terminated)
		return broken("an added field ended the subscription", terminated);
	if (
		after &&
		JSON.stringify(after.value) === JSON.stringify(before?.type.value)
	)
		return untestable(
			{ kind: "control", name: "events_conformance_catalog with alter" },
			"it is acknowledged, and the descriptor is the same as before",
			after.page,
		);
	return seen.endedAs
		? broken(`an added field ended the stream: ${seen.endedAs}`, stream)
		: holds(
				`the stream stayed open for ${context.waits.noReplayGapMs} ms after a field was added`,
				stream,
			);
}

async function breakAndRemove(
	context: GradeContext,
	ground: PushGround,
): Promise<Record<(typeof ROWS)[number], Finding>> {
	const broke = await endByChange(context, ground, "break");
	const removed = await endByChange(context, ground, "remove");
	return {
		"removal-terminates-subscriptions": judgeSignals(broke, removed),
		"removal-error-not-found": judgeError(removed, (error, frame) =>
			judgeNotFound(error, frame, context),
		),
		"removal-error-schema-changed": judgeError(broke, (error, frame) =>
			judgeChanged(error, frame, context),
		),
	};
}

type Ended = Changed<Farewell>;

/** Holds a stream of the spare type, and a webhook where it offers one, and changes it under both. */
async function endByChange(
	context: GradeContext,
	ground: PushGround,
	action: "break" | "remove",
): Promise<Ended> {
	let webhook: HeldWebhook | undefined;
	try {
		return await change(context, ground, action, {
			async prepare(victim) {
				webhook = await holdWebhook(context, victim);
			},
			async look(stream) {
				await stream.waitFor(isTerminated, context.waits.terminatedMs);
				return (await webhook?.judge()) ?? { kind: "not-offered" };
			},
		});
	} finally {
		await webhook?.release();
	}
}

type Changed<Looked> =
	| { kind: "untried"; finding: Finding }
	| {
			kind: "seen";
			stream: GradeStream;
			terminated: Frame | undefined;
			/** How the stream had ended when it was looked at; undefined where it was open. */
			endedAs: string | undefined;
			looked: Looked;
	  };

interface Change<Looked> {
	/** Before the change, once the stream stands. */
	prepare?(victim: Subject): Promise<void>;
	look(stream: GradeStream): Promise<Looked>;
}

/** Changes the spare type under an open stream, looks on, and puts the type back. */
async function change<Looked>(
	context: GradeContext,
	ground: PushGround,
	action: "alter" | "break" | "remove",
	{ prepare, look }: Change<Looked>,
): Promise<Changed<Looked>> {
	const { controls } = context;
	const untried = (finding: Finding) => ({ kind: "untried" as const, finding });
	const lacking = controls.missing("catalog");
	if (lacking) return untried(lacking);
	const victim = await findVictim(context);
	if (!victim) return untried(NO_VICTIM);
	const { name } = victim;
	const opened = await openStanding(context, ground, victim);
	if (opened.kind === "failed") return untried(opened.finding);
	await using stream = opened.stream;
	await prepare?.(victim);
	const changed = await controls.call("catalog", { action, name });
	if (changed.kind === "failed") return untried(changed.finding);
	try {
		const looked = await look(stream);
		const terminated = stream.frames.find(isTerminated);
		const endedAs = stream.end?.told;
		return { kind: "seen", stream, terminated, endedAs, looked };
	} finally {
		await controls.call("catalog", { action: "restore", name });
	}
}

function judgeSignals(broke: Ended, removed: Ended): Finding {
	const seen = [
		{ what: "a removed type", ...removed },
		{ what: "a type changed in place", ...broke },
	];
	const tried = seen.filter((one) => one.kind === "seen");
	const silent = tried.find(({ terminated }) => terminated === undefined);
	if (silent)
		return broken(
			`no terminated on the stream of ${silent.what}${silent.endedAs === undefined ? "" : `: ${silent.endedAs}`}`,
			silent.stream,
		);
	const untried = seen.find((one) => one.kind === "untried");
	if (untried) return untried.finding;
	const isOffered = tried.some(({ looked }) => looked.kind === "came");
	const also = isOffered ? "at the webhook of both, too" : "it has no webhook";
	return (
		judgeFarewells(tried.map(({ what, looked }) => ({ what, ...looked }))) ??
		holds(
			`terminated came on the stream of a removed type, and on that of one changed in place; ${also}`,
			...tried.flatMap(({ terminated, looked }) => [
				...(terminated ? [terminated] : []),
				...(looked.kind === "came" ? [looked.terminated] : []),
			]),
		)
	);
}

/** What speaks against the webhook half, or why it could not be tried; undefined where nothing does. */
function judgeFarewells(
	farewells: readonly ({ what: string } & Farewell)[],
): Finding | undefined {
	const silent = farewells.find(({ kind }) => kind === "silent");
	if (silent?.kind === "silent")
		return broken(
			`no terminated at the callback of ${silent.what}`,
			...silent.cites,
		);
	const untried = farewells.find(({ kind }) => kind === "untried");
	return untried?.kind === "untried" ? untried.finding : undefined;
}

function judgeError(
	changed: Ended,
	judge: (error: NonNullable<Frame["error"]>, frame: Frame) => Finding,
): Finding {
	if (changed.kind === "untried") return changed.finding;
	const { terminated, stream } = changed;
	const error = readError(terminated?.params.error);
	if (terminated && error) return judge(error, terminated);
	return untestable(
		{ kind: "answer", name: "a terminated notification with an error" },
		terminated ? "its error is no object" : "no terminated came",
		terminated ?? stream,
	);
}
