// One declared name: its check, its memory of what it has taken, its rate, its feed.
import type { Clock } from "../../clock.ts";
import { Feed } from "../../feed.ts";
import type { RouteRequest } from "../../http/routes.ts";
import type { SourceType, TypeDescriptor } from "../../source.ts";
import type { InboundHook } from "./inbound.ts";
import { type InboundEvent, readPost } from "./read-post.ts";
import { createProver, type InboundScheme } from "./schemes.ts";

/** What is answered: the status, and headers where it needs some. */
export type Verdict = [status: number, headers?: Record<string, string>];

export interface Hook {
	readonly type: SourceType;
	/** Judges a POST whose size and content type are right; 2xx says that its event is in the feed. */
	take(post: Pick<RouteRequest, "headers" | "body">): Verdict;
}

export interface HookWorld {
	clock: Clock;
	epoch: string;
	bufferSize: number;
	/** Room for the JSON of its events. */
	maxBytes: number;
	maxPerSecond: number;
	note: (text: string) => void;
}

type Facts = Pick<InboundEvent, "type">;

/** Senders repeat for days; so many marks of what was taken are remembered. */
const MAX_MARKS = 50_000;
/** The same complaint is not repeated sooner: strangers can cause any number of them. */
const COMPLAIN_EVERY_MS = 60_000;

export function openHook(hook: InboundHook, world: HookWorld): Hook {
	const { name, scheme } = hook;
	const { clock, epoch, bufferSize: maxEvents, maxBytes } = world;
	const secrets = (hook.secrets ?? []).filter((text) => text.trim() !== "");
	const prove = createProver(scheme, secrets);
	const feed = new Feed<Facts>({ clock, epoch, maxEvents, maxBytes });
	const taken = createMarks();
	const mayTake = createRate(world);
	const complain = createComplaints(name, world);

	function emit({ id, type, at, dataText }: InboundEvent) {
		feed.emit(
			(sequence) => ({
				eventId: id ?? `${name}-${epoch}-${sequence}`,
				name,
				at: at ?? clock.now(),
				dataText,
			}),
			{ type },
		);
	}

	return {
		type: {
			descriptor: describe(name, scheme),
			head: () => feed.head(),
			read: (request) =>
				feed.read(
					request,
					({ type }) =>
						request.arguments.type === undefined ||
						request.arguments.type === type,
				),
			watch: (_args, wake) => feed.watch(wake),
		},
		take({ headers, body }) {
			const proof = prove({ headers, body, nowMs: clock.now() });
			if (proof.kind === "unproven") {
				complain(
					"a post was refused: no secret given here signed it, or it is old",
				);
				return [401];
			}
			const event =
				proof.kind === "proven" ? readPost(headers, body, hook) : undefined;
			if (proof.kind === "malformed" || !event) {
				complain(`a post was refused: it lacks what ${scheme} brings`);
				return [400];
			}
			if (event.id !== undefined && taken.has(event.id)) return [200];
			const { bodyMark } = proof;
			if (bodyMark !== undefined && taken.has(bodyMark)) {
				complain("a body that came before came under another id: a repetition");
				return [200];
			}
			if (!mayTake()) {
				complain("more than its rate came; the rest was put off");
				return [429, { "retry-after": "1" }];
			}
			for (const mark of [event.id, bodyMark]) taken.add(mark);
			emit(event);
			return [200];
		},
	};
}

const ABOUT: Record<InboundScheme, string> = {
	plain: "posted as plain JSON; nothing proves who posted it",
	"standard-webhooks":
		"signed by Standard Webhooks, and its webhook-id is the eventId",
	github:
		"signed by GitHub; event is what its X-GitHub-Event header says, payload the body, the delivery's id the eventId",
	stripe: "signed by Stripe, and its id is the eventId",
};

function describe(name: string, scheme: InboundScheme): TypeDescriptor {
	const ofType =
		scheme === "github"
			? "Only events of this kind, such as push"
			: "Only those whose member type is this";
	return {
		name,
		description: `A webhook that was posted to this server at /inbound/${name}: ${ABOUT[scheme]}. JSON that is no object stands under value.`,
		delivery: ["poll", "push"],
		inputSchema: {
			type: "object",
			properties: {
				type: { type: "string", maxLength: 200, description: ofType },
			},
			additionalProperties: false,
			examples: [{}],
		},
		payloadSchema:
			scheme === "github"
				? {
						type: "object",
						properties: {
							event: { type: "string" },
							payload: { type: "object" },
						},
						required: ["event", "payload"],
					}
				: { type: "object" },
	};
}

/** Remembers the latest. */
function createMarks() {
	const marks = new Set<string>();
	return {
		has: (mark: string) => marks.has(mark),
		add(mark: string | undefined) {
			if (mark === undefined) return;
			marks.add(mark);
			if (marks.size <= MAX_MARKS) return;
			for (const oldest of marks) {
				marks.delete(oldest);
				break;
			}
		},
	};
}

/** True so many times in each second. Asked for what is proven and new: strangers cannot use it up. */
function createRate({ clock, maxPerSecond }: HookWorld): () => boolean {
	let second = 0;
	let count = 0;
	return () => {
		const now = Math.floor(clock.now() / 1_000);
		if (now !== second) count = 0;
		second = now;
		return ++count <= maxPerSecond;
	};
}

/** Tells the operator what the sender is not told: why nothing arrives. */
function createComplaints(name: string, { clock, note }: HookWorld) {
	const saidAt = new Map<string, number>();
	return (text: string) => {
		const now = clock.now();
		const last = saidAt.get(text);
		if (last !== undefined && now - last < COMPLAIN_EVERY_MS) return;
		saidAt.set(text, now);
		note(`inbound ${name}: ${text}`);
	};
}
