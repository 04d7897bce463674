// Who may have which event: asked at subscribe time, in every mode alike (events.md 7, Access).
import { METHODS, NOTIFICATIONS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { isErrorOf } from "../error-names.ts";
import { broken, type Finding, holds, odd, untestable } from "../finding.ts";
import type { Check } from "../scenario.ts";
import { type Subject, standingSubject } from "../traffic/subject.ts";
import { type Answer, errorOf, resultOf, tellError } from "../wire/answer.ts";
import type { FrameError } from "../wire/frame.ts";
import type { Citable } from "../wire/record.ts";
import type { Caller } from "../wire/wire.ts";
import { notTaken, type WebhookGround } from "./ground.ts";

const IDS = ["error-forbidden", "authz-subscribe-time"] as const;
const MOST_TYPES = 10;

/** What became of a request for a type in one mode. */
interface Tried {
	mode: "webhook" | "poll" | "push";
	/** Undefined: it was granted, or nothing that could be read came. */
	error: FrameError | undefined;
	isGranted: boolean;
	cite: Citable;
}

interface Denied {
	name: string;
	how: string;
	tried: Tried[];
}

export const accessChecks: Check<WebhookGround>[] = [
	{
		ids: IDS,
		phase: "changes",
		async run(context, ground) {
			if (!ground.main.result) return same(notTaken(ground, ground.main));
			const denied = await findDenied(context, ground);
			if ("kind" in denied) return same(denied);
			return {
				"error-forbidden": judgeCode(denied, context),
				"authz-subscribe-time": judgeModes(denied),
			};
		},
	},
];

/** A type that a caller may not have: the second principal, else anybody once the control has taken it away. */
async function findDenied(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Denied | Finding> {
	const { options, wire, controls } = context;
	if (wire.kind === "http" && options.secondHeaders.length > 0) {
		const denied = await findForSecond(context, ground);
		if (denied) return denied;
	}
	if (!controls.has("access"))
		return untestable(
			{
				kind: "credential",
				name: "--second-principal-header 'K: V' of one that may not have an event type",
			},
			options.secondHeaders.length > 0
				? "the second principal may have every type that was tried"
				: "without it nobody is known who may not have something",
		);
	return await takeAway(context, ground);
}

async function findForSecond(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Denied | undefined> {
	const subjects = await context.subjects.withMode("webhook");
	for (const subject of subjects.slice(0, MOST_TYPES)) {
		const tried = await tryModes(context, ground, {
			subject,
			caller: "second",
		});
		if (tried.every(({ isGranted }) => isGranted)) continue;
		const own = await tryModes(context, ground, { subject, caller: "first" });
		// What nobody gets says nothing of access.
		const grantedModes = own.filter((one) => one.isGranted).map(modeOf);
		const isMeant = ({ mode }: Tried) => grantedModes.includes(mode);
		const compared = tried.filter(isMeant);
		if (compared.some(({ error }) => error !== undefined))
			return {
				name: subject.name,
				how: "the second principal",
				tried: compared,
			};
	}
	return undefined;
}

const modeOf = ({ mode }: Tried) => mode;

async function takeAway(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Denied | Finding> {
	const { controls } = context;
	const subject = await standingSubject("webhook", context);
	if (!subject) return notTaken(ground, ground.main);
	const { name } = subject;
	const before = await tryModes(context, ground, { subject, caller: "first" });
	const modes = before.filter(({ isGranted }) => isGranted).map(modeOf);
	const taken = await controls.call("access", { action: "revoke", name });
	if (taken.kind === "failed") return taken.finding;
	try {
		const tried = await tryModes(context, ground, { subject, caller: "first" });
		return {
			name,
			how: "a principal from whom it was taken",
			tried: tried.filter(({ mode }) => modes.includes(mode)),
		};
	} finally {
		await controls.call("access", { action: "restore", name });
	}
}

async function tryModes(
	context: GradeContext,
	ground: WebhookGround,
	who: { subject: Subject; caller: Caller },
): Promise<Tried[]> {
	const { subject, caller } = who;
	const { modes } = subject.type;
	const { url } = ground.newCallback();
	const subscribed = await ground.subscribe({ url, subject, caller });
	if (subscribed.result) await subscribed.release();
	const tried = [triedOf("webhook", subscribed.answer)];
	if (modes.includes("poll")) {
		const { wire } = context;
		const answer = await wire.ask(METHODS.poll, paramsOf(subject), { caller });
		tried.push(triedOf("poll", answer));
	}
	if (modes.includes("push")) tried.push(await tryStream(context, who));
	return tried;
}

async function tryStream(
	{ wire, waits }: GradeContext,
	{ subject, caller }: { subject: Subject; caller: Caller },
): Promise<Tried> {
	await using stream = wire.openStream(METHODS.stream, paramsOf(subject), {
		caller,
	});
	const first = await stream.waitFor(
		({ kind, method }) => kind === "error" || method === NOTIFICATIONS.active,
		waits.activeMs,
	);
	return {
		mode: "push",
		error: first?.error,
		isGranted: first !== undefined && first.kind !== "error",
		cite: stream,
	};
}

const paramsOf = (subject: Subject) => ({
	name: subject.name,
	arguments: subject.arguments,
	cursor: null,
});

const triedOf = (mode: Tried["mode"], answer: Answer): Tried => ({
	mode,
	error: errorOf(answer),
	isGranted: resultOf(answer) !== undefined,
	cite: answer,
});

/** By the error of the first mode that refused. */
function judgeCode(
	{ name, how, tried }: Denied,
	context: GradeContext,
): Finding {
	const refused = tried.filter(({ error }) => error !== undefined);
	const isForbidden = ({ error }: Tried) =>
		error !== undefined && isErrorOf(error, "Forbidden", context.profile);
	const wrong = refused.find((one) => !isForbidden(one));
	const [first] = refused;
	if (!first)
		return untestable(
			{ kind: "answer", name: "a refusal of who may not have an event" },
			`${how} gets ${name} in every mode; authz-subscribe-time tells of it`,
			...tried.map(({ cite }) => cite),
		);
	const { mode, error, cite } = wrong ?? first;
	const told = `${name} for ${how}, by ${mode}: ${error && tellError(error)}`;
	if (!wrong) return holds(told, ...refused.map((one) => one.cite));
	return error?.name === "Unknown" || error?.name === "InternalError"
		? broken(told, cite)
		: odd(`${told}, where Forbidden is meant`, cite);
}

function judgeModes({ name, how, tried }: Denied): Finding {
	const granted = tried.filter(({ isGranted }) => isGranted);
	const told = `${name} for ${how}`;
	const cites = tried.map(({ cite }) => cite);
	return granted.length > 0
		? broken(
				`${told} is granted by ${granted.map(modeOf).join(", ")}`,
				...cites,
			)
		: holds(`${told} is refused by ${tried.map(modeOf).join(", ")}`, ...cites);
}

const same = (finding: Finding) =>
	Object.fromEntries(IDS.map((id) => [id, finding]));
