// Runs a webhook tail against a scripted server and scripted deliveries, in virtual time.
import type { WireErrorFacts } from "../../src/faults/index.ts";
import { parseJsonBytes, readOccurrence } from "../../src/protocol/index.ts";
import type {
	ReceivedContent,
	ReceivedDelivery,
	Registration,
} from "../../src/receiver/index.ts";
import { parseSecret } from "../../src/signing/index.ts";
import type {
	Item,
	OwnSecret,
	WebhookOptions,
	WebhookSubscription,
	WebhookTail,
} from "../../src/tail/index.ts";
import { openWebhookTail } from "../../src/tail/index.ts";
import { tell } from "./run-tail.ts";
import {
	type Answer,
	occurrence,
	ScriptedSession,
} from "./scripted-session.ts";
import { VirtualClock } from "./virtual-clock.ts";

export const secret = (byte: number): OwnSecret => ({
	label: `secret ${byte}`,
	secret: parseSecret(`whsec_${Buffer.alloc(32, byte).toString("base64")}`),
});

/** The answer to a subscribe. `untilMs` is the virtual time of its expiry; null for none. */
export const grant = (
	untilMs: number | null,
	more: Record<string, unknown> = {},
): Answer => ({
	id: "sub_1",
	refreshBefore: untilMs === null ? null : new Date(untilMs).toISOString(),
	cursor: "c0",
	truncated: false,
	...more,
});

/** The answer to an unsubscribe. */
export const gone: Answer = {};

export function contentOf(eventId: string, cursor?: string): ReceivedContent {
	const bytes = Buffer.from(JSON.stringify(occurrence(eventId, cursor)));
	const span = { start: 0, end: bytes.length };
	const value = parseJsonBytes(bytes);
	return {
		kind: "event",
		occurrence: readOccurrence(bytes, span, value, () => {}),
	};
}

export const envelope = {
	gap: (cursor?: string): ReceivedContent => ({ kind: "gap", cursor }),
	terminated: (name: string, code: number): ReceivedContent => {
		const error: WireErrorFacts = { name, code, message: "over" };
		return { kind: "terminated", error };
	},
};

export function deliveryOf(
	content: ReceivedContent,
	id = "msg_1",
	label = "tick",
): ReceivedDelivery {
	return {
		receivedAtMs: 0,
		method: "POST",
		path: "/hooks/x",
		headers: [["webhook-id", id]],
		body: Buffer.from("{}"),
		subscription: label,
		subscriptionId: "sub_1",
		content,
		verdict: { kind: "valid", version: "v1", label: "secret" },
		answer: { status: 204 },
		notes: [],
	};
}

/** What arrives, and when. */
export type Arrivals = [atMs: number, content: ReceivedContent][];

export interface WebhookRun {
	told: string[];
	items: Item[];
	notes: string[];
	warnings: string[];
	/** What was remembered, in order. */
	memory: string[];
	session: ScriptedSession;
	clock: VirtualClock;
	registration: Registration;
	isReceiverClosed: boolean;
}

export type RunOptions = Partial<WebhookOptions> & {
	arrivals?: Arrivals;
	stopAtMs?: number;
	subscription?: Partial<WebhookSubscription>;
	/** Called once the tail is there. */
	onTail?: (tail: WebhookTail, clock: VirtualClock) => void;
};

/** Iterates to the end. `answers` are those to subscribe, list and unsubscribe, in the order asked. */
export async function runWebhook(
	answers: Answer[],
	options: RunOptions = {},
): Promise<WebhookRun> {
	const clock = new VirtualClock();
	const session = new ScriptedSession({ polls: answers }, clock);
	const stop = new AbortController();
	const memory: string[] = [];
	const notes: string[] = [];
	const warnings: string[] = [];
	const registration: Registration = {
		label: "tick",
		secrets: [secret(1)],
		subscriptionId: undefined,
	};
	const run: WebhookRun = {
		told: [],
		items: [],
		notes,
		warnings,
		memory,
		session,
		clock,
		registration,
		isReceiverClosed: false,
	};
	if (options.stopAtMs !== undefined)
		clock.at(options.stopAtMs, () => stop.abort());
	let made = 1;
	const tail = openWebhookTail(
		session,
		{
			address: { url: "https://hook.test" },
			newSecret: () => secret(++made),
			closeReceiver: async () => {
				run.isReceiverClosed = true;
			},
			...options,
			subscriptions: [
				{
					subscription: { label: "tick", name: "tick", arguments: {} },
					path: "/hooks/x",
					registration,
					memory: rememberIn(memory),
					cursor: undefined,
					known: [],
					backlog: [],
					...options.subscription,
				},
			],
		},
		{
			now: clock.now,
			sleep: clock.sleep,
			random: () => 0.5,
			signal: stop.signal,
			note: (text) => notes.push(text),
			warn: (text) => warnings.push(text),
		},
	);
	for (const [n, [atMs, content]] of (options.arrivals ?? []).entries())
		clock.at(atMs, () =>
			tail.intake.kept(deliveryOf(content, `msg_${n}`), `cap_${n}`),
		);
	options.onTail?.(tail, clock);
	const collect = async () => {
		for await (const batch of tail) run.items.push(...batch);
	};
	await clock.run(collect());
	run.told = run.items.map(tell);
	return run;
}

function rememberIn(memory: string[]): WebhookSubscription["memory"] {
	const note = async (text: string) => {
		memory.push(text);
	};
	return {
		saveSecrets: (secrets) =>
			note(`secrets ${secrets.map(({ label }) => label).join(", ")}`),
		saveUrl: (url) => note(`url ${url}`),
		saveGrant: ({ id }) => note(`grant ${id}`),
		saveCursor: (cursor) => note(`cursor ${cursor}`),
		saveEnd: () => note("end"),
		markShown: (capture) => void memory.push(`shown ${capture}`),
		markLeaving: (capture, previous) =>
			void memory.push(`leaving ${capture} after ${previous}`),
	};
}

/** When each method was asked, with the cursor that was sent. */
export const calls = ({ session }: WebhookRun) =>
	session.asked.map(
		({ at, method, cursor }) =>
			`${at} ${method.replace("events/", "")}${cursor === undefined ? "" : ` ${cursor}`}`,
	);
