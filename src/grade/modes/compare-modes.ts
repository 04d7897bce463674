// Follows one subscription by all its modes at once, over one window.
import type { DeliveryMode } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { type Finding, untestable } from "../finding.ts";
import { fireNowAndThen } from "../poll/follow.ts";
import type { Subject } from "../traffic/subject.ts";
import { openByPoll } from "./by-poll.ts";
import { openByPush } from "./by-push.ts";
import { openByWebhook } from "./by-webhook.ts";
import type { ModeLog } from "./mode-log.ts";
import { NO_TRAIL, type Opened, type Opening, type Way } from "./way.ts";
import { ComparedWindow } from "./window.ts";

/** In the order in which they are opened: poll and push tell a position from which a webhook can begin. */
const MODES = [
	["poll", openByPoll],
	["push", openByPush],
	["webhook", openByWebhook],
] as const satisfies readonly (readonly [
	DeliveryMode,
	(opening: Opening) => Promise<Opened>,
])[];

export interface Compared {
	subject: Subject;
	/** Those that were opened. */
	logs: readonly ModeLog[];
	/** Those that were not, with what stands in the way. */
	leftOut: ReadonlyMap<DeliveryMode, Finding>;
	/** Ids of the events that came while the window was open. */
	judged: ReadonlySet<string>;
	/** All began at one position: what one brings, the others owe. */
	isFromOnePosition: boolean;
	triggerFailure: Finding | undefined;
}

const LOOK_EVERY_MS = 50;

/** Ends in bounded time, whatever the server does; rejects only when the run ends, or no callback can be received. */
export async function compareModes(
	context: GradeContext,
	subject: Subject,
): Promise<Compared> {
	const ways: Way[] = [];
	try {
		const leftOut = await openWays({ context, subject, ways });
		const { waits, now } = context;
		const window = new ComparedWindow({
			modes: ways.map(({ mode }) => mode),
			windowMs: waits.modesWindowMs,
			settleMs: waits.modesSettleMs,
			now,
		});
		const triggerFailure = await follow(ways, window, context);
		return {
			subject,
			logs: window.logs,
			leftOut,
			judged: window.judged,
			isFromOnePosition: ways.every(({ cursor, isFromPosition }, at) =>
				at === 0 ? cursor !== undefined : isFromPosition,
			),
			triggerFailure,
		};
	} finally {
		await Promise.allSettled(ways.map((way) => way.close()));
	}
}

/** Puts those that can be opened into `ways`; gives those that cannot. */
async function openWays({
	context,
	subject,
	ways,
}: {
	context: GradeContext;
	subject: Subject;
	ways: Way[];
}): Promise<Map<DeliveryMode, Finding>> {
	const leftOut = new Map<DeliveryMode, Finding>();
	const wire = context.wire.withTrail(NO_TRAIL);
	for (const [mode, open] of MODES) {
		if (!subject.type.modes.includes(mode)) {
			leftOut.set(mode, notOffered(mode, subject));
			continue;
		}
		const [first] = ways;
		const cursor = first?.cursor ?? null;
		const opened = await open({ context, wire, subject, cursor });
		if (opened.kind === "open") ways.push(opened.way);
		else leftOut.set(mode, opened.finding);
	}
	return leftOut;
}

const notOffered = (mode: DeliveryMode, { name, type }: Subject) =>
	untestable(
		{ kind: "feature", name: `a type that offers ${mode} beside the others` },
		`${name.slice(0, 80)} does not offer it`,
		type.page,
	);

async function follow(
	ways: readonly Way[],
	window: ComparedWindow,
	context: GradeContext,
): Promise<Finding | undefined> {
	const pairs = ways.flatMap((way) => {
		const log = window.logs.find(({ mode }) => mode === way.mode);
		return log ? [{ way, log }] : [];
	});
	for (const { way, log } of pairs) log.opening.push(way.opening);
	const lookOn = async () => {
		for (;;) {
			for (const { way, log } of pairs) way.look(window, log);
			if (window.isOver()) return;
			await context.sleep(LOOK_EVERY_MS);
		}
	};
	const [triggerFailure] = await Promise.all([
		fireNowAndThen(context, () => window.isOver()),
		lookOn(),
		...pairs.map(({ way, log }) => way.run?.(window, log)),
	]);
	return triggerFailure;
}
