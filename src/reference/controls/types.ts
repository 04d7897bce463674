// Event types for a grader to work on: one that emits steadily, and some to use up. Each counts, ten times a second.
import { type Clock, repeat } from "../clock.ts";
import { Feed } from "../feed.ts";
import type { Source, SourceType, TypeDescriptor } from "../source.ts";

/** Often enough that nobody waits, and far enough apart that two webhooks in order arrive in order. */
const EVERY_MS = 100;
const KEPT_EVENTS = 10_000;
/** What a type that forgets quickly keeps: two seconds of events. */
const FEW_EVENTS = 20;

export const QUOTA = { name: "conformance.quota", max: 2 };

interface Kind {
	name: string;
	description: string;
	keptEvents?: number;
	more?: Partial<SourceType>;
	delivery?: TypeDescriptor["delivery"];
}

/** The first of the catalogue, because graders take the first that fits. */
const STEADY: Kind = {
	name: "conformance.steady",
	description: "Counts up, ten times a second, with a long memory.",
};

const SPARE: readonly Kind[] = [
	{
		name: "conformance.spare",
		description: "Counts up; here to be ended, altered, broken or removed.",
	},
	{
		name: QUOTA.name,
		description: `Counts up; at most ${QUOTA.max} subscriptions at once.`,
		more: { limits: { subscriptions: QUOTA.max } },
	},
	{
		name: "conformance.no-replay",
		description: "Counts up and remembers nothing: its cursor is always null.",
		// By poll such a type would never deliver.
		delivery: ["push"],
		more: { hasReplay: false },
	},
	{
		name: "conformance.forgetful",
		description: "Counts up and forgets within two seconds.",
		keptEvents: FEW_EVENTS,
	},
	{
		name: "conformance.poll-only",
		description: "Counts up; neither push nor webhook.",
		delivery: ["poll"],
		more: { mayBeWebhook: false },
	},
];

export interface ConformanceTypes {
	first: Source;
	last: Source;
	/** One more of the kind, under a name that is free. */
	make(name: string): SourceType;
	close(): void;
}

/** They count until closed. `epoch` names this run: a cursor of another is a gap. */
export function openConformanceTypes(
	clock: Clock,
	epoch: string,
): ConformanceTypes {
	const counters = new Map<string, () => void>();

	function open({ name, keptEvents = KEPT_EVENTS, ...kind }: Kind): SourceType {
		const feed = new Feed<number>({ clock, epoch, maxEvents: keptEvents });
		counters.set(name, () =>
			feed.emit(
				(n) => ({
					eventId: `${name}-${epoch}-${n}`,
					name,
					at: clock.now(),
					dataText: JSON.stringify({ n, text: `event ${n}` }),
				}),
				// The feed numbers its events from 1, as their data does.
				Number(feed.head().split(".").at(-1)) + 1,
			),
		);
		return {
			descriptor: describe(name, kind),
			head: () => feed.head(),
			read: (request) => {
				const { atLeast, atMost } = request.arguments;
				const least = typeof atLeast === "number" ? atLeast : 0;
				const most = typeof atMost === "number" ? atMost : Infinity;
				return feed.read(request, (n) => n >= least && n <= most);
			},
			watch: (_args, wake) => feed.watch(wake),
			...kind.more,
		};
	}

	const stop = repeat(clock, EVERY_MS, () => {
		for (const count of counters.values()) count();
	});
	const nothing = () => {};
	return {
		first: { types: [open(STEADY)], close: nothing },
		last: { types: SPARE.map(open), close: nothing },
		make: (name) =>
			open({ name, description: "Counts up; added while the server ran." }),
		close: stop,
	};
}

function describe(
	name: string,
	{ description, delivery }: Pick<Kind, "description" | "delivery">,
): TypeDescriptor {
	return {
		name,
		description,
		delivery: delivery ?? ["poll", "push"],
		inputSchema: {
			type: "object",
			properties: {
				atLeast: {
					type: "integer",
					minimum: 0,
					description: "Only events with this number or a higher one",
				},
				atMost: {
					type: "integer",
					minimum: 0,
					description: "Only events with this number or a lower one",
				},
			},
			additionalProperties: false,
			examples: [{}, { atLeast: 1 }, { atLeast: 1, atMost: 1_000_000 }],
		},
		payloadSchema: {
			type: "object",
			properties: {
				n: { type: "integer", minimum: 1 },
				text: { type: "string" },
			},
			required: ["n", "text"],
		},
	};
}
