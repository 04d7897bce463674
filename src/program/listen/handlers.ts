// What a listener hands its deliveries to, as flags say: URLs and a command. It never holds up the receiver beyond its
// bounds, and never leaves one out in silence.
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import { headerValues, WEBHOOK_HEADERS } from "../../protocol/index.ts";
import type { RefusedDelivery } from "../../receiver/index.ts";
import type { Item } from "../../tail/index.ts";
import type { HandlerFlags } from "../flags/handler-flags.ts";
import {
	type Handed,
	type Handler,
	type HandlerStart,
	handedOf,
	type Outcome,
} from "../handlers/handler.ts";
import type { World } from "../process/world.ts";
import type { ListenFlags, StoredDelivery } from "./options.ts";

export interface ListenHandlers {
	/** Before the first delivery: takes over what an earlier run has left. Throws `file-failed`. */
	begin(start: Omit<HandlerStart, "signal">): Promise<void>;
	/** Whether the sender is answered by what they say. */
	readonly isRelayed: boolean;
	/** Hands it on, and waits for that only where the sender is answered by it. */
	afterStored(
		stored: StoredDelivery,
		show: (items: Item[]) => void,
	): Promise<{ status: number } | undefined>;
	/** Hands on what was refused for its signature; undefined unless that is asked for. */
	afterRefused:
		| ((
				refused: RefusedDelivery,
				capture: string | undefined,
				show: (items: Item[]) => void,
		  ) => void)
		| undefined;
	/** How much longer senders may wait for their answer at the end. */
	readonly graceMs: number;
	/** The end has come: what is under way has FINISH_MS from now on; then it is cut off, and told. */
	hurry(): void;
	/** Waits for what is under way. */
	settle(): Promise<void>;
	close(): void;
}

/** How long what is under way at the end may take: all clean-up has five seconds, and a command two to die in. */
const FINISH_MS = 2_500;
/** Beyond this, refused deliveries are only counted: a stranger decides how many there are. */
const MOST_REFUSED = 100;

type Show = (items: Item[]) => void;

/** Opens them, if there are any. Throws `wrong-use`. */
export async function openListenHandlers(
	flags: HandlerFlags & ListenFlags,
	pieces: { world: World; output: Output },
): Promise<ListenHandlers | undefined> {
	refuseContradictions(flags);
	const handlers = await openEach(flags, pieces);
	if (handlers.length === 0) return undefined;
	const { world, output } = pieces;
	const isRelayed = flags["relay-status"];
	const hands = new Hands(handlers, world);
	let uncounted = 0;
	return {
		isRelayed,
		begin: (start) => hands.begin(start),
		async afterStored({ delivery, capture, isRepeat }, show) {
			// Its sender was told that it is here: only where the handler had the word is it to be asked again.
			if (isRepeat && !isRelayed) return undefined;
			if (delivery.content.kind === "verification") return undefined;
			const outcomes = hands.give(handedOf(delivery, capture), show);
			return isRelayed ? answerOf(await Promise.all(outcomes)) : undefined;
		},
		afterRefused: flags["forward-unverified"]
			? (refused, capture, show) => {
					if (!wasReadAndUnproven(refused)) return;
					if (hands.open >= MOST_REFUSED) uncounted++;
					else hands.give(refusedOf(refused, capture), show);
				}
			: undefined,
		graceMs: isRelayed ? FINISH_MS : 0,
		hurry: () => hands.hurry(),
		settle: () => hands.settle(),
		close() {
			for (const handler of handlers) handler.close();
			if (uncounted > 0)
				output.warn(
					`${uncounted} unverified deliveries were not forwarded: too many waited already`,
				);
		},
	};
}

/** Gives deliveries to each handler that takes them, and knows what is under way. */
class Hands {
	readonly #handlers: readonly Handler[];
	readonly #over = new AbortController();
	readonly #underWay = new Set<Promise<unknown>>();
	readonly #world: World;
	#callOff: (() => void) | undefined;

	constructor(handlers: readonly Handler[], world: World) {
		this.#handlers = handlers;
		this.#world = world;
		// The time runs from the signal on, while subscriptions are still being ended.
		const { stop } = world;
		stop.addEventListener("abort", () => this.hurry(), { once: true });
	}

	get open(): number {
		return this.#underWay.size;
	}

	async begin(start: Omit<HandlerStart, "signal">): Promise<void> {
		const { signal } = this.#over;
		for (const handler of this.#handlers)
			await handler.begin?.({ ...start, signal });
	}

	give(handed: Handed, show: Show): Promise<Outcome>[] {
		const takers = this.#handlers.filter((handler) => handler.takes(handed));
		return takers.map((handler) => {
			const outcome = this.#hand(handler, handed).then((came) => {
				if (came.item) show([came.item]);
				return came;
			});
			this.#underWay.add(outcome);
			void outcome.then(() => this.#underWay.delete(outcome));
			return outcome;
		});
	}

	hurry(): void {
		const end = () => this.#over.abort();
		this.#callOff ??= this.#world.setTimer(end, FINISH_MS);
	}

	async settle(): Promise<void> {
		while (this.#underWay.size > 0) await Promise.all(this.#underWay);
		for (const handler of this.#handlers) await handler.settle?.();
		this.#callOff?.();
	}

	async #hand(handler: Handler, handed: Handed): Promise<Outcome> {
		const { tasks } = handler;
		const { signal } = this.#over;
		const task = () => handler.hand(handed, signal);
		const coming = tasks.add(task, handed.body.length);
		return (
			coming ?? handler.notHanded(handed, `${tasks.open} wait for it already`)
		);
	}
}

/** The first that is not good decides; undefined where nobody took it. */
function answerOf(outcomes: readonly Outcome[]) {
	const isGood = ({ status }: Outcome) => status < 300;
	const told = outcomes.find((outcome) => !isGood(outcome)) ?? outcomes[0];
	return told && { status: told.status };
}

/** Its body was read, and its signature is what was wrong. */
function wasReadAndUnproven({ reason }: RefusedDelivery): boolean {
	switch (reason) {
		case "missing-header":
		case "malformed-header":
		case "malformed-timestamp":
		case "no-known-version":
		case "no-match":
		case "too-old":
		case "too-new":
			return true;
		default:
			return false;
	}
}

function refusedOf(
	{ headers, body, candidates }: RefusedDelivery,
	capture: string | undefined,
): Handed {
	const [only = "", ...others] = candidates;
	return {
		subscription: others.length === 0 ? only : "",
		id: headerValues(headers, WEBHOOK_HEADERS.id)[0] ?? "",
		name: undefined,
		line: undefined,
		headers,
		body,
		capture,
		isVerified: false,
	};
}

function refuseContradictions(flags: HandlerFlags): void {
	const hasUrl = (flags["forward-to"] ?? []).length > 0;
	const lonely = [
		flags["forward-header"]?.length ? "--forward-header" : "",
		flags["forward-unverified"] ? "--forward-unverified" : "",
	].find((name) => name !== "" && !hasUrl);
	if (lonely)
		throw new Fault("wrong-use", {
			what: `${lonely} is given without --forward-to`,
			next: `--forward-to http://127.0.0.1:3000/hook ${lonely}`,
		});
	if (flags["relay-status"] && !hasUrl && flags.exec === undefined)
		throw new Fault("wrong-use", {
			what: "--relay-status is given without --forward-to or --exec",
			why: "there is no handler whose status could be passed on",
			next: "--forward-to http://127.0.0.1:3000/hook --relay-status",
		});
}

async function openEach(
	flags: HandlerFlags & ListenFlags,
	{ world, output }: { world: World; output: Output },
): Promise<Handler[]> {
	const handlers: Handler[] = [];
	const texts = flags["forward-to"] ?? [];
	if (texts.length > 0) {
		const { openForwardHandler, parseForwardTarget } = await import(
			"../handlers/forward.ts"
		);
		const { readForwardOptions } = await import(
			"../handlers/forward-options.ts"
		);
		const targets = texts.map(parseForwardTarget);
		const options = await readForwardOptions(flags, targets, output);
		for (const target of targets)
			handlers.push(openForwardHandler(target, options, world));
	}
	const { readExecOptions } = await import("../handlers/exec-options.ts");
	const isRelayed = flags["relay-status"];
	const exec = await readExecOptions(flags, isRelayed);
	if (exec) {
		const { openExecHandler } = await import("../handlers/exec.ts");
		handlers.push(openExecHandler(exec, { flags, isRelayed, world, output }));
	}
	return handlers;
}
