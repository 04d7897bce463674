// How many streams there may be: none of them counts as a request, a limit of their own is told, and a cancelled one
// frees its place.
import { isRecord, METHODS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { isErrorOf } from "../error-names.ts";
import { broken, type Finding, holds, odd, untestable } from "../finding.ts";
import { SIZES } from "../waits.ts";
import { resultOf, tellAnswer, tellError } from "../wire/answer.ts";
import type { Frame, FrameError } from "../wire/frame.ts";
import type { GradeStream } from "../wire/stream.ts";
import { judgeSilence } from "./cancel.ts";
import {
	confirm,
	openStream,
	type PushGround,
	pushRow,
	pushRows,
	startOf,
} from "./ground.ts";
import { type Quota, readQuota } from "./quota.ts";

/** Not a string: an id must come back as it was sent, type included. */
const NUMBER_ID = 7_000_001;

export const limitChecks = [
	pushRow("stream-exempt-from-concurrency-cap", holdSeveral),
	pushRows(
		["error-resource-exhausted", "stream-cancel-stops-delivery"],
		async (context, ground) => {
			const capped = await exceedCap(context, ground);
			return {
				"error-resource-exhausted": capped.exhausted,
				"stream-cancel-stops-delivery":
					context.wire.kind === "stdio"
						? await judgeSilence(context, ground)
						: capped.freed,
			};
		},
	),
];

async function holdSeveral(
	context: GradeContext,
	ground: PushGround,
): Promise<Finding> {
	const { main, subject, opening } = ground;
	if (opening.kind !== "active" || main.end)
		return untestable(
			{ kind: "answer", name: "events/stream" },
			"not even the first stream is open and confirmed",
			main,
		);
	const streams = [main];
	try {
		for (let at = 1; at < SIZES.streamsAtOnce; at++) {
			const options = at === 1 ? { id: NUMBER_ID } : {};
			const stream = openStream(context, ground, startOf(subject), options);
			streams.push(stream);
			const next = await confirm(context, stream);
			if (next.kind === "active") continue;
			if (next.kind === "refused" && next.error && next.frame)
				return judgeRefusal(
					{ error: next.error, cite: next.frame },
					at,
					ground,
				);
			return broken(`stream ${at + 1} of one type: ${next.told}`, stream);
		}
		const answer = await context.wire.ask(METHODS.list, {});
		return resultOf(answer)
			? holds(
					`${streams.length} streams of one type were active together, and a request was answered beside them`,
					...streams,
				)
			: broken(
					`beside ${streams.length} streams events/list is answered with ${tellAnswer(answer)}`,
					answer,
				);
	} finally {
		for (const stream of streams.slice(1)) await stream.cancel();
	}
}

/** A limit of streams is a server's right; one of requests must not count them. */
function judgeRefusal(
	refusal: { error: FrameError; cite: Frame },
	open: number,
	ground: PushGround,
): Finding {
	const { error, cite } = refusal;
	ground.refusal = refusal;
	const limit = isRecord(error.data) ? error.data.limit : undefined;
	const isOwn = typeof limit === "string" && /stream|subscription/i.test(limit);
	const told = `with ${open} open, the next is refused: ${tellError(error)}`;
	if (error.name === "ResourceExhausted" && isOwn)
		return untestable(
			{ kind: "feature", name: `${SIZES.streamsAtOnce} streams of one type` },
			`${told}; its limit ${JSON.stringify(limit)} is one of streams`,
			cite,
		);
	return broken(told, cite);
}

interface Capped {
	exhausted: Finding;
	/** Whether a cancelled stream frees its place. */
	freed: Finding;
}

async function exceedCap(
	context: GradeContext,
	ground: PushGround,
): Promise<Capped> {
	const quota = await readQuota(context);
	if (quota.kind === "missing") {
		const { refusal } = ground;
		return {
			exhausted: refusal ? judgeExhausted(refusal, context) : quota.finding,
			freed: quota.finding,
		};
	}
	const open: GradeStream[] = [];
	try {
		for (let at = 0; at <= quota.max; at++) {
			const stream = openStream(context, ground, startOf(quota));
			const next = await confirm(context, stream);
			if (next.kind === "active") {
				open.push(stream);
				continue;
			}
			await stream.cancel();
			const told = `stream ${at + 1} of ${quota.name}: ${next.told}`;
			const exhausted =
				next.kind === "refused" && next.error && next.frame
					? judgeExhausted({ error: next.error, cite: next.frame }, context)
					: noRefusal(told, stream);
			return {
				exhausted,
				freed: await tryFreed(context, ground, { quota, open, told }),
			};
		}
		const finding = noRefusal(
			`${quota.max + 1} streams of ${quota.name} stand together, whose cap is told as ${quota.max}`,
			...open,
		);
		return { exhausted: finding, freed: finding };
	} finally {
		for (const stream of open) await stream.cancel();
	}
}

const noRefusal = (why: string, ...cites: GradeStream[]): Finding =>
	untestable(
		{ kind: "feature", name: "a cap on streams that refuses one too many" },
		why,
		...cites,
	);

function judgeExhausted(
	{ error, cite }: { error: FrameError; cite: Frame },
	{ profile }: GradeContext,
): Finding {
	const told = `one stream too many is refused with ${tellError(error)}`;
	if (!isErrorOf(error, "ResourceExhausted", profile))
		return broken(told, cite);
	const limit = isRecord(error.data) ? error.data.limit : undefined;
	return typeof limit === "string" && limit !== ""
		? holds(`${told}, data.limit ${JSON.stringify(limit)}`, cite)
		: odd(`${told}, and no data.limit names the limit`, cite);
}

/** Cancels one of those that fill the cap, and opens another in its place. */
async function tryFreed(
	context: GradeContext,
	ground: PushGround,
	{ quota, open, told }: { quota: Quota; open: GradeStream[]; told: string },
): Promise<Finding> {
	const { waits, now, sleep } = context;
	const gone = open.pop();
	if (!gone) return noRefusal(`not even one could be opened: ${told}`);
	await gone.cancel();
	const untilMs = now() + waits.afterCancelMs;
	for (;;) {
		const stream = openStream(context, ground, startOf(quota));
		const next = await confirm(context, stream);
		if (next.kind === "active") {
			open.push(stream);
			return holds(
				`with ${quota.name} at its cap, another stream stood as soon as one was cancelled`,
				gone,
				stream,
			);
		}
		await stream.cancel();
		if (now() >= untilMs)
			return broken(
				`${waits.afterCancelMs} ms after one of the streams of ${quota.name} was cancelled its place is not free: ${next.told}`,
				gone,
				stream,
			);
		await sleep(waits.afterCancelMs / 5);
	}
}
