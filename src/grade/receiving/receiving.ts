// Where callbacks arrive in a run: one receiver for all scenarios, opened by the first that needs it. What the server
// refuses while its guards are whole is tried before the control lifts them for this one origin.
import type { GradeContext } from "../context.ts";
import { type Finding, untestable } from "../finding.ts";
import type { ReceiverPlace } from "../options.ts";
import type { Behaviour } from "./behaviour.ts";
import type { CallbackPath } from "./callback-path.ts";
import {
	type CallbackReceiver,
	coveringDocument,
	openCallbackReceiver,
} from "./callback-receiver.ts";
import { type GuardTrials, tryGuards } from "./guard-trials.ts";

export interface CallbackPlace {
	/** What callback URLs begin with: the public address, or this machine's. Without a slash at its end. */
	readonly base: string;
	/** A public https address leads here: nothing has to be lifted. */
	readonly isPublic: boolean;
	readonly receiver: CallbackReceiver;
	/** What was tried before any guard was lifted; undefined where nobody wants to know. */
	readonly guards: GuardTrials | undefined;
	/** Why a refusal of our callbacks is no wonder: the finding of rows that need a callback; undefined where it is. */
	readonly lacking: Finding | undefined;
	/** A new path, that takes everything by default. */
	openPath(behaviour?: Behaviour, isCovered?: boolean): CallbackPath;
	/** Lifts the guards for another origin of this machine; the finding of rows that need it where that fails. */
	allow(origin: string): Promise<Finding | undefined>;
}

export interface Receiving {
	/** Opens it once; later callers get the same. Throws Gate where nothing can listen here. */
	open(context: GradeContext): Promise<CallbackPlace>;
	close(): Promise<void>;
}

/** `wantsGuards`: whether a scenario of the run judges what is refused while the guards are whole. */
export function createReceiving(
	place: ReceiverPlace,
	{ wantsGuards }: { wantsGuards: boolean },
): Receiving {
	let opening: Promise<CallbackPlace> | undefined;
	const closers: (() => Promise<void>)[] = [];
	return {
		open(context) {
			opening ??= openPlace({ place, context, wantsGuards, closers });
			return opening;
		},
		async close() {
			await opening?.catch(() => {});
			for (const close of closers.reverse()) await close();
		},
	};
}

interface Opening {
	place: ReceiverPlace;
	context: GradeContext;
	wantsGuards: boolean;
	/** What is to be closed at the end of the run. */
	closers: (() => Promise<void>)[];
}

async function openPlace(opening: Opening): Promise<CallbackPlace> {
	const { place, context, wantsGuards, closers } = opening;
	const receiver = await openCallbackReceiver(place, context);
	closers.push(receiver.close);
	const address = await place.openPublicAddress?.(receiver.port);
	if (address) closers.push(async () => await address[Symbol.asyncDispose]());
	const base = (address?.url ?? receiver.origin).replace(/\/+$/, "");
	const document = coveringDocument(base);
	receiver.document = () => document;
	const guards = wantsGuards ? await tryGuards(context) : undefined;
	const allow = (origin: string) => liftGuards(context, origin);
	return {
		base,
		isPublic: address !== undefined,
		receiver,
		guards,
		lacking: address ? undefined : await allow(receiver.origin),
		openPath: (behaviour = {}, isCovered = false) =>
			receiver.openPath(base, behaviour, isCovered),
		allow,
	};
}

async function liftGuards(
	{ controls }: GradeContext,
	origin: string,
): Promise<Finding | undefined> {
	if (controls.missing("allowCallbackOrigin"))
		return untestable(
			{ kind: "flag", name: "--public-url URL or --tunnel" },
			"callbacks to this machine are refused, as they should be, and the server does not list events_conformance_allow_callback_origin to let them in",
		);
	const lifted = await controls.call("allowCallbackOrigin", { origin });
	return lifted.kind === "failed" ? lifted.finding : undefined;
}

/** The finding of a row that needs deliveries where a callback of ours was refused. */
export function refusedCallback(
	{ lacking }: CallbackPlace,
	why: string,
	...cites: Parameters<typeof untestable>[2][]
): Finding {
	return (
		lacking ??
		untestable(
			{ kind: "answer", name: "events/subscribe with a callback of ours" },
			why,
			...cites,
		)
	);
}
