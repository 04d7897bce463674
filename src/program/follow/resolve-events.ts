// From what was named to what is followed: the types are found, the arguments typed and checked, the modes chosen.
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import { canonicalJson, type Descriptor } from "../../protocol/index.ts";
import type { Session } from "../../session/index.ts";
import type {
	Item,
	Mode,
	Subscription,
	TailOptions,
} from "../../tail/index.ts";
import { readArguments } from "../flags/event-arguments.ts";
import type { EventWords } from "../flags/words.ts";
import type { World } from "../process/world.ts";
import { type BadLine, badLines } from "./bad-lines.ts";

export interface ResolveOptions {
	events: readonly EventWords[];
	/** Where those with a line stand. */
	from: string | undefined;
	/** For those that do not say themselves. */
	via: Mode | undefined;
	canReceive: boolean;
	validate: boolean;
}

type Followed = TailOptions["subscriptions"][number];
type Resolved = Omit<Followed, "subscription"> & {
	subscription: Omit<Subscription, "label">;
	/** undefined: it was asked for. */
	why: string | undefined;
};

export interface ResolvedEvents {
	/** In order, each with its label. */
	followed: Followed[];
	/** Lines of --from that cannot be followed, to be told: one that is broken does not stop the others. */
	unfit: (Item & { kind: "stopped" })[];
}

/**
 * Finds what is to be followed. Throws the fault of a word of the command line at once, and one `wrong-use` for all
 * lines of --from where none of them can be followed.
 */
export async function resolveEvents(
	session: Session,
	options: ResolveOptions,
	{ world, output }: { world: World; output: Output },
): Promise<ResolvedEvents> {
	const { lookForEventTypes } = await import("../../session/index.ts");
	const { labelSubscriptions } = await import("../../tail/index.ts");
	const names = new Set(options.events.map(({ name }) => name));
	const types = await lookForEventTypes(session, [...names], {
		signal: world.stop,
		odd: (what) => output.note(what),
	});
	const bad: BadLine[] = [];
	const unfit: ResolvedEvents["unfit"] = [];
	const resolved: Resolved[] = [];
	const twins = findTwins();
	for (const words of options.events) {
		try {
			const type = types.get(words.name);
			if (!type) throw types.unknown(words.name);
			const one = await resolve(words, type, { session, options, world });
			twins.refuse(one.subscription, words);
			resolved.push(one);
		} catch (error) {
			const { line, fault } = faultOfLine(error, words);
			bad.push({ line, problem: problemOf(fault) });
			unfit.push({
				subscription: `${words.name} (line ${line})`,
				via: words.via ?? options.via ?? "push",
				receivedAt: world.now(),
				...{ kind: "stopped", cursor: words.cursor, fault },
			});
		}
	}
	if (resolved.length === 0) throw badLines(bad, options.from ?? "");
	tellModes(resolved, output);
	const labelled = labelSubscriptions(
		resolved.map(({ subscription }) => subscription),
	);
	const followed = resolved.map(({ why, ...one }, at) => ({
		...one,
		subscription: labelled[at] ?? { ...one.subscription, label: "" },
	}));
	return { followed, unfit };
}

/** Where it is no line's own fault it is thrown on: the server's, ours, or that of a word of the command line. */
function faultOfLine(error: unknown, { line }: EventWords) {
	const isLines = error instanceof Fault && error.exitStatus === WRONG_USE;
	if (!isLines || line === undefined) throw error;
	return { line, fault: error };
}

function problemOf({ what, why, code, next }: Fault): string {
	const parts = [what, why].filter(Boolean).join(": ");
	return code === "event-unknown" && next ? `${parts}; ${next}` : parts;
}

const WRONG_USE = new Fault("wrong-use", { what: "" }).exitStatus;

async function resolve(
	words: EventWords,
	type: Descriptor,
	around: { session: Session; options: ResolveOptions; world: World },
): Promise<Resolved> {
	const { session, options, world } = around;
	const { validate, canReceive } = options;
	const { chooseMode } = await import("../../tail/index.ts");
	const args = await readArguments(words, type.inputSchema, {
		...{ validate, world },
	});
	const via = words.via ?? options.via;
	const { transport } = session.server;
	const { why, ...way } = chooseMode(type, { via, transport, canReceive });
	return {
		...way,
		subscription: { name: type.name, arguments: args },
		cursor: words.cursor,
		why: via === undefined ? why : undefined,
	};
}

/** Two of the same would bring each event twice: in a file of many that is a mistake. */
function findTwins() {
	const known = new Map<string, EventWords>();
	return {
		refuse(subscription: Resolved["subscription"], words: EventWords): void {
			const { name, arguments: args } = subscription;
			const key = canonicalJson([name, args]);
			const first = known.get(key);
			if (!first) known.set(key, words);
			else if (words.line !== undefined)
				throw new Fault("wrong-use", {
					what: `it is the same subscription as ${first.line === undefined ? "one of the command line" : `line ${first.line}`}`,
				});
		},
	};
}

/** Beyond so many they are told together. */
const TOLD_EACH = 10;

function tellModes(resolved: readonly Resolved[], output: Output): void {
	const reasons = new Map<string, Set<string>>();
	for (const { via, why, subscription } of resolved) {
		if (why === undefined) continue;
		const reason = `by ${via}, ${why}`;
		const names = reasons.get(reason) ?? new Set();
		reasons.set(reason, names.add(subscription.name));
	}
	for (const [reason, names] of reasons) {
		if (names.size > TOLD_EACH)
			output.say(`${names.size} event types: ${reason}`);
		else for (const name of names) output.say(`${name}: ${reason}`);
	}
}
