// What the rows of delivery are tried on: one subscription that takes everything, and probes that do not.
import type { Secret } from "../../signing/index.ts";
import type { GradeContext } from "../context.ts";
import { type Finding, untestable } from "../finding.ts";
import type { Behaviour } from "../receiving/behaviour.ts";
import type { CallbackPath } from "../receiving/callback-path.ts";
import {
	type CallbackRequest,
	isEvent,
} from "../receiving/callback-request.ts";
import { type CallbackPlace, refusedCallback } from "../receiving/receiving.ts";
import {
	openSubscriptions,
	type Subscribed,
	type SubscribeWish,
} from "../receiving/subscriptions.ts";
import type { Check } from "../scenario.ts";
import type { Subject } from "../traffic/subject.ts";
import { fireTrigger } from "../traffic/trigger.ts";
import { tellAnswer } from "../wire/answer.ts";

/** One subscription with a callback path of its own. */
export interface Probe {
	path: CallbackPath;
	sub: Subscribed;
	/** Those that may sign what comes, the newest last. */
	secrets: Secret[];
	/** Other subscriptions deliver to the same path. */
	isShared: boolean;
}

export interface ProbeWish extends Partial<SubscribeWish> {
	behaviour?: Behaviour;
	/** In place of the base of the receiver. */
	base?: string;
	/** Under the prefix that the well-known document names. */
	isCovered?: boolean;
	isShared?: boolean;
}

export interface Stage {
	place: CallbackPlace;
	/** The first event type of the catalogue that offers webhook. */
	subject: Subject;
	/** Takes everything, from the beginning to the end of the scenario. */
	main: Probe;
	/** The first event that came there; undefined where none came in time. */
	firstEvent: CallbackRequest | undefined;
	/** Why no row can be tried that needs a delivery; undefined where they can. */
	refused: Finding | undefined;
	/** All that were opened, for the rules that look at every request. */
	probes: Probe[];
	open(wish?: ProbeWish): Promise<Probe>;
	/** The first event at a path from the index `from` on, made to happen where it must be; undefined: none in time. */
	nextEvent(
		path: CallbackPath,
		from?: number,
		fits?: (request: CallbackRequest) => boolean,
	): Promise<CallbackRequest | undefined>;
	releaseAll(): Promise<void>;
}

export async function openStage(context: GradeContext): Promise<Stage> {
	const { waits, controls, options, wire } = context;
	const place = await context.receiving.open(context);
	const subject = await context.subjects.first("webhook");
	const { subscribe, releaseAll } = openSubscriptions(wire);
	const probes: Probe[] = [];

	async function open(wish: ProbeWish = {}): Promise<Probe> {
		const { behaviour = {}, base = place.base, isCovered, ...more } = wish;
		const { isShared = false } = wish;
		const path = place.receiver.openPath(base, behaviour, isCovered);
		const sub = await subscribe({ subject, url: path.url, ...more });
		const secrets = sub.secret ? [sub.secret] : [];
		const probe = { path, sub, secrets, isShared };
		probes.push(probe);
		return probe;
	}

	async function nextEvent(
		path: CallbackPath,
		from = 0,
		fits: (request: CallbackRequest) => boolean = () => true,
	) {
		const waiting = path.waitFor(
			(request) => isEvent(request) && fits(request),
			waits.deliveryMs,
			from,
		);
		await fireTrigger(controls, options.trigger);
		return await waiting;
	}

	const main = await open();
	const firstEvent = main.sub.result && (await nextEvent(main.path));
	return {
		place,
		subject,
		main,
		firstEvent,
		refused: whyRefused(main, place),
		probes,
		open,
		nextEvent,
		releaseAll,
	};
}

function whyRefused({ sub }: Probe, place: CallbackPlace): Finding | undefined {
	if (sub.result) return undefined;
	return refusedCallback(
		place,
		`${sub.url} is answered with ${tellAnswer(sub.answer)}`,
		sub.answer,
	);
}

export const noEvent = (...cites: Parameters<typeof untestable>[2][]) =>
	untestable(
		{
			kind: "traffic",
			name: "an event of a webhook type, or --trigger-tool NAME that makes one",
		},
		"no event was delivered in time",
		...cites,
	);

/** Where a probe of ours was refused that the main one of the same kind was not. */
export const refusedProbe = ({ sub }: Probe): Finding =>
	untestable(
		{ kind: "answer", name: "events/subscribe with a further callback" },
		`it is answered with ${tellAnswer(sub.answer)}`,
		sub.answer,
	);

type Findings = Readonly<Record<string, Finding>>;
type Options = Omit<Check<Stage>, "ids" | "run"> & {
	/** The rows can be tried without a single event. */
	needsNoEvent?: boolean;
};

/** A check of rows that need a callback of ours to be taken and, unless told otherwise, an event to come there. */
export function deliveryCheck<Id extends string>(
	ids: readonly Id[],
	run: (
		context: GradeContext,
		stage: Stage,
	) => Promise<Readonly<Record<Id, Finding>>>,
	{ needsNoEvent = false, ...more }: Options = {},
): Check<Stage> {
	const all = (finding: Finding): Findings =>
		Object.fromEntries(ids.map((id) => [id, finding]));
	return {
		...more,
		ids,
		async run(context, stage) {
			if (stage.refused) return all(stage.refused);
			if (!needsNoEvent && !stage.firstEvent)
				return all(noEvent(stage.main.sub.answer));
			return await run(context, stage);
		},
	};
}

/** The same for one row. */
export const deliveryRow = (
	id: string,
	run: (context: GradeContext, stage: Stage) => Promise<Finding>,
	more?: Options,
): Check<Stage> =>
	deliveryCheck(
		[id],
		async (context, stage) => ({ [id]: await run(context, stage) }),
		more,
	);
