// Requests, probes and a stage made by hand: what a check of deliveries says of them, without any server.
import type { GradeContext } from "../../../src/grade/context.ts";
import type { Probe, Stage } from "../../../src/grade/delivery/stage.ts";
import { type Finding, untestable } from "../../../src/grade/finding.ts";
import type { Behaviour } from "../../../src/grade/receiving/behaviour.ts";
import { CallbackPath } from "../../../src/grade/receiving/callback-path.ts";
import {
	type CallbackRequest,
	isEvent,
	readCallback,
} from "../../../src/grade/receiving/callback-request.ts";
import type { Subscribed } from "../../../src/grade/receiving/subscriptions.ts";
import type { Check } from "../../../src/grade/scenario.ts";
import type {
	ControlName,
	Controls,
} from "../../../src/grade/traffic/controls.ts";
import type { Subject } from "../../../src/grade/traffic/subject.ts";
import { WAITS, type Waits } from "../../../src/grade/waits.ts";
import type { Answer, Outcome } from "../../../src/grade/wire/answer.ts";
import {
	type Frame,
	frameOf,
	readError,
} from "../../../src/grade/wire/frame.ts";
import { openScribe } from "../../../src/grade/wire/record.ts";

export const NOW_MS = Date.parse("2026-10-01T12:00:00Z");

/** Every wait ends at once: what is to come has come. */
export const clock = {
	now: () => NOW_MS,
	setTimer(act: () => void) {
		const timer = setImmediate(act);
		return () => clearImmediate(timer);
	},
	signal: new AbortController().signal,
};
const scribe = openScribe({ now: clock.now, secrets: [], secretHeaders: [] });

export const OCCURRENCE = {
	eventId: "e1",
	name: "a.b",
	timestamp: "2026-10-01T11:59:59Z",
	data: {},
	cursor: "c1",
};
const HEADERS = {
	"content-type": "application/json",
	"webhook-id": "m1",
	"webhook-timestamp": String(NOW_MS / 1_000),
	"webhook-signature": "v1,x",
};

export interface Sent {
	method?: string;
	headers?: Record<string, string | undefined>;
	body?: unknown;
	/** Milliseconds after NOW_MS. */
	at?: number;
}

export function requestOf(sent: Sent): CallbackRequest {
	const { method = "POST", headers = {}, body = OCCURRENCE, at = 0 } = sent;
	const pairs = Object.entries({ ...HEADERS, ...headers }).flatMap(
		([name, value]): [string, string][] =>
			value === undefined ? [] : [[name, value]],
	);
	const head = { method, target: "/a", headers: pairs };
	const bytes = Buffer.from(JSON.stringify(body));
	const atMs = NOW_MS + at;
	const came = { head, body: bytes, atMs, socket: undefined };
	return readCallback(came, scribe);
}

/** A path to which these came. */
export function pathOf(
	all: readonly Sent[],
	behaviour: Behaviour = {},
): CallbackPath {
	const path = new CallbackPath("https://here.example/a", behaviour, clock);
	for (const sent of all) path.take(requestOf(sent));
	return path;
}

export const eventOf = (n: number, at = n, more: object = {}): Sent => ({
	headers: { "webhook-id": `m${n}` },
	body: {
		...OCCURRENCE,
		eventId: `e${n}`,
		cursor: `c${n}`,
		timestamp: new Date(NOW_MS + n * 1_000).toISOString(),
		...more,
	},
	at,
});

export const challengeOf = (
	challenge: unknown = "a-nonce-of-16-chars",
): Sent => ({
	headers: { "webhook-id": "msg_verification_1" },
	body: { type: "verification", challenge },
});

/** The answer to a request: a result, an error by its number, or none. */
export function answerOf(
	what: Record<string, unknown> | number | "none" = {},
	data?: unknown,
): Answer {
	return {
		method: "events/subscribe",
		id: 1,
		status: 200,
		headers: {},
		outcome: outcomeOf(what, data),
		frames: [],
		record: [],
		sentAtMs: NOW_MS,
		endedAtMs: NOW_MS,
		bodyBytes: 0,
	};
}

function outcomeOf(
	what: Record<string, unknown> | number | "none",
	data: unknown,
): Outcome {
	if (what === "none") return { kind: "none", reason: "cut", told: "cut" };
	if (typeof what !== "number") return { kind: "result", result: what };
	const error = readError({ code: what, message: "no", data });
	if (!error) throw new Error("no error");
	return { kind: "error", error };
}

/** `refreshed`: what each further subscribe of the key is answered with. */
export function subOf(
	answer: Answer,
	more: { again?: Answer; released?: Answer; id?: string | undefined } = {},
): Subscribed {
	const { again = answer, released = answerOf() } = more;
	const { outcome } = answer;
	return {
		answer,
		result: outcome.kind === "result" ? outcome.result : undefined,
		id: "id" in more ? more.id : "s1",
		secret: undefined,
		url: "https://here.example/a",
		again: async () => subOf(again, more),
		release: async () => released,
	};
}

export const probeOf = (
	all: readonly Sent[] = [],
	{ behaviour, ...more }: Partial<Probe> & { behaviour?: Behaviour } = {},
): Probe => ({
	path: pathOf(all, behaviour),
	sub: subOf(answerOf()),
	secrets: [],
	isShared: false,
	...more,
});

export const REFUSED = () => probeOf([], { sub: subOf(answerOf(-32602)) });

/** A stage that opens these probes in their order, and on which nothing comes that has not come. */
export function stageOf({
	opens = [],
	main = probeOf([{}]),
	...more
}: Partial<Stage> & { opens?: Probe[] } = {}): Stage {
	const probes = [main];
	const left = [...opens];
	const stage: Partial<Stage> = {
		main,
		probes,
		subject: subjectOf("a.b"),
		firstEvent: main.path.events[0],
		refused: undefined,
		async open() {
			const probe = left.shift();
			if (!probe) throw new Error("no probe is left");
			probes.push(probe);
			return probe;
		},
		nextEvent: async (path, from = 0, fits = () => true) =>
			path.requests.slice(from).find((one) => isEvent(one) && fits(one)),
		...more,
	};
	return stage as Stage;
}

export const subjectOf = (
	name: string,
	modes: Subject["type"]["modes"] = ["webhook"],
): Subject => ({
	name,
	arguments: {},
	type: {
		...{ name, modes, inputSchema: {}, payloadSchema: {}, value: {} },
		page: answerOf(),
	},
});

/** Event types of these names, whatever mode is asked for. */
export const subjectsOf = (
	...names: readonly string[]
): GradeContext["subjects"] => ({
	withMode: async () => names.map((name) => subjectOf(name)),
	withoutMode: async () => undefined,
	first: async () => subjectOf("a.b"),
});

const NO_WAITS = Object.fromEntries(
	Object.keys(WAITS).map((name) => [name, 0]),
) as Waits;

/** What a check asks of its context; all controls are missing, unless others are given. */
export const contextOf = (more: Partial<GradeContext> = {}): GradeContext => {
	const context: Partial<GradeContext> = {
		profile: "final",
		waits: NO_WAITS,
		controls: controlsOf({}),
		sleep: async () => {},
		unique: () => "unique",
		found: () => new Map(),
		...clock,
		...more,
	};
	return context as GradeContext;
};

const LACKING = untestable({ kind: "control", name: "a control" }, "no");

/** Controls that answer with a text; the others are missing, or fail where that is `undefined`. */
export function controlsOf(
	texts: Partial<Record<ControlName, string | undefined>>,
): Controls {
	const controls: Partial<Controls> = {
		has: (name) => name in texts,
		missing: (...names) =>
			names.every((name) => name in texts) ? undefined : LACKING,
		async call(name) {
			const text = texts[name];
			return text === undefined
				? { kind: "failed", finding: LACKING }
				: { kind: "text", text, answer: answerOf() };
		},
	};
	return controls as Controls;
}

export const frameAt = (method: string, at = 0, params: object = {}): Frame =>
	frameOf(
		{ jsonrpc: "2.0", method: `notifications/events/${method}`, params },
		NOW_MS + at,
		scribe.note({ direction: "received", via: "http" }, "{}"),
	);

/** Runs the check of a row. */
export async function findingOf(
	checks: readonly Check<Stage>[],
	id: string,
	{ context = contextOf(), stage = stageOf() } = {},
): Promise<Finding> {
	const check = checks.find(({ ids }) => ids.includes(id));
	const finding = (await check?.run(context, stage))?.[id];
	if (!finding) throw new Error(`no finding for ${id}`);
	return finding;
}

/** What it says in short. */
export const judge = async (...of: Parameters<typeof findingOf>) =>
	wordOf(await findingOf(...of));

/** `holds`, `skipped`, `broken`, `WARNING`, `FAILURE`, or `untestable` and the kind of its need. */
export function wordOf(finding: Finding): string {
	if (finding.kind === "untestable")
		return `untestable ${finding.missing.kind}`;
	if (finding.kind === "broken") return finding.as ?? "broken";
	return finding.kind;
}

export const NOT_LIFTED = untestable({ kind: "flag", name: "--tunnel" }, "no");

/** A place on port 7 of this machine, that lifts every guard. */
export function placeOf({
	documents = [],
	...more
}: Partial<Stage["place"]> & {
	documents?: readonly CallbackRequest[];
} = {}): Stage["place"] {
	const receiver: Partial<Stage["place"]["receiver"]> = {
		origin: "http://127.0.0.1:7",
		port: 7,
		documentRequests: documents,
		document: () => ({ status: 200 }),
	};
	return {
		base: "http://127.0.0.1:7",
		isPublic: false,
		receiver: receiver as Stage["place"]["receiver"],
		guards: undefined,
		lacking: undefined,
		openPath: () => pathOf([]),
		allow: async () => undefined,
		...more,
	};
}

export const optionsOf = (options: Partial<GradeContext["options"]>) =>
	options as GradeContext["options"];
