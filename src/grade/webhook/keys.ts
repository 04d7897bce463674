// What tells one subscription from another: principal, URL, name and arguments, and nothing else (events.md 6).
import { randomBytes } from "node:crypto";
import { METHODS } from "../../protocol/index.ts";
import { newSecret } from "../../signing/index.ts";
import type { GradeContext } from "../context.ts";
import { isErrorOf } from "../error-names.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { isEvent } from "../receiving/callback-request.ts";
import type { Subscribed } from "../receiving/subscriptions.ts";
import type { Check } from "../scenario.ts";
import type { Subject } from "../traffic/subject.ts";
import { type Answer, errorOf, tellAnswer } from "../wire/answer.ts";
import { notTaken, subscribedRow, type WebhookGround } from "./ground.ts";
import { otherArguments, reordered } from "./other-arguments.ts";
import { stateOf } from "./states.ts";

export const keyChecks: Check<WebhookGround>[] = [
	subscribedRow("subscribe-idempotent-upsert", async (_context, ground) => {
		const { main } = ground;
		if (main.id === undefined) return noId(main);
		const again = await main.again({ secret: newSecret(randomBytes) });
		const cites = [main.answer, again.answer];
		if (errorOf(again.answer)?.name === "ResourceExhausted")
			return broken(
				`the same key again counts as one more: ${tellAnswer(again.answer)}`,
				...cites,
			);
		if (!again.result)
			return broken(
				`the same key again: ${tellAnswer(again.answer)}`,
				...cites,
			);
		return again.id === main.id
			? holds(`the same key again has the same id ${main.id}`, ...cites)
			: broken(
					`the same key again has the id ${again.id}, and had ${main.id}`,
					...cites,
				);
	}),

	subscribedRow("subscribe-key-composition", composeKeys),

	subscribedRow("subscribe-id-not-an-input", async (context, ground) => {
		const own = await ground.subscribe(ground.newCallback());
		if (!own.result) return notTaken(ground, own);
		if (own.id === undefined) return noId(own);
		const { id } = own;
		const { url } = ground.newCallback();
		const other = await ground.subscribe({ url, params: { id } });
		const cites = [own.answer, other.answer];
		await other.release();
		if (other.id === id)
			return broken(`another URL with the id ${id} has that very id`, ...cites);
		return await endById(context, { ground, own, cites });
	}),

	subscribedRow("subscribe-key-immutable", keepKey, { lane: "deliveries" }),
];

/** Whether a refresh gives the id of its key, as far as that was tried. */
export const isStable = ({ found }: GradeContext) =>
	found().get("subscribe-idempotent-upsert")?.kind !== "broken";

interface Variant {
	what: string;
	subject: Pick<Subject, "name" | "arguments">;
	/** Whether it is another subscription than the one before it. */
	isOther: boolean;
}

async function composeKeys(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Finding> {
	const { main, subject, subscribe } = ground;
	if (main.id === undefined) return noId(main);
	const { url } = ground.newCallback();
	const ids = new Set([main.id]);
	const told: string[] = [];
	const cites = [main.answer];
	let last = main;
	const variants = [
		{ what: "another URL", subject, isOther: true },
		...(await variantsOf(context, subject)),
	];
	try {
		for (const { what, subject: of, isOther } of variants) {
			const taken = await subscribe({ url, subject: of });
			// Not before: an id that is not derived from its key may last as long as its subscription alone.
			if (last !== main) await last.release();
			const { id, answer } = taken;
			if (!taken.result || id === undefined) {
				// A cap, or arguments that the schema allows and the server does not.
				if (told.length > 0) break;
				return taken.result ? noId(taken) : notTaken(ground, taken);
			}
			cites.push(answer);
			if (isOther && ids.has(id))
				return broken(`${what} has the id of another key, ${id}`, ...cites);
			// A refresh with an id of its own is told of by subscribe-idempotent-upsert.
			if (!isOther && !isStable(context)) break;
			if (!isOther && id !== last.id)
				return broken(`${what} has the id ${id}, not ${last.id}`, ...cites);
			ids.add(id);
			told.push(what);
			last = taken;
		}
	} finally {
		if (last !== main) await last.release();
	}
	return holds(
		`${told.join(", ")}: ${ids.size} ids for ${ids.size} keys`,
		...cites,
	);
}

/** What can be varied of a key beside the URL, in the order in which it is compared. */
async function variantsOf(
	{ subjects }: GradeContext,
	subject: Subject,
): Promise<Variant[]> {
	const { name } = subject;
	const variants: Variant[] = [];
	const [, second] = await subjects.withMode("webhook");
	if (second)
		variants.push({ what: "another name", subject: second, isOther: true });
	const [args] = await otherArguments(subject);
	if (!args) return variants;
	variants.push({
		what: "other arguments",
		subject: { name, arguments: args },
		isOther: true,
	});
	const turned = reordered(args);
	if (turned)
		variants.push({
			what: "the same arguments in another order",
			subject: { name, arguments: turned },
			isOther: false,
		});
	return variants;
}

/** An unsubscribe with the id, and a URL that has no subscription, must not end the one of that id. */
async function endById(
	context: GradeContext,
	{
		ground,
		own,
		cites,
	}: { ground: WebhookGround; own: Subscribed; cites: Answer[] },
): Promise<Finding> {
	const { wire, profile } = context;
	const { subject, newCallback } = ground;
	const byId = await wire.ask(METHODS.unsubscribe, {
		id: own.id,
		name: subject.name,
		arguments: subject.arguments,
		delivery: { mode: "webhook", url: newCallback().url },
	});
	const state = await stateOf(context, own.id);
	const ended = await own.release();
	const error = errorOf(ended);
	const isGone =
		state.word === "absent" ||
		(error !== undefined && isErrorOf(error, "NotFound", profile));
	return isGone
		? broken(
				`an unsubscribe by the id and another URL ended the subscription: ${tellAnswer(byId)}`,
				...cites,
				byId,
				ended,
			)
		: holds(
				`the id ${own.id} beside another URL addressed nothing, in subscribe and in unsubscribe`,
				...cites,
				byId,
				ended,
			);
}

/** After a subscribe that differs in its URL alone, the first subscription goes on as it was. */
async function keepKey(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Finding> {
	const { path, ...callback } = ground.newCallback();
	const first = await ground.subscribe(callback);
	if (!first.result) return notTaken(ground, first);
	const { url } = ground.newCallback();
	const secret = first.secret ?? "";
	const second = await ground.subscribe({ url, secret });
	const from = path.requests.length;
	const cites = [first.answer, second.answer];
	if (!second.result) return notTaken(ground, second);
	if (first.id === undefined) return noId(first);
	if (first.id === second.id)
		return untestable(
			{ kind: "answer", name: "events/subscribe with an id of its own" },
			"another URL has the same id; subscribe-key-composition tells of it",
			...cites,
		);
	const state = await stateOf(context, first.id);
	const isFlowing = (await ground.firstEvent()) !== undefined;
	const later = isFlowing
		? await ground.nextEvent(path, isEvent, from)
		: undefined;
	const again = await first.again();
	await second.release();
	await first.release();
	const all = [...cites, again.answer];
	if (state.word === "absent")
		return broken("the first subscription is gone", ...all, ...state.answers);
	if (isFlowing && !later)
		return broken(
			"nothing is delivered to the first URL any more, while events go on",
			...all,
		);
	if (again.id !== first.id)
		return untestable(
			{ kind: "answer", name: "a refresh with the id of its key" },
			`the first key is answered with ${tellAnswer(again.answer)}; subscribe-idempotent-upsert tells of it`,
			...all,
		);
	return holds(
		`the first key still has the id ${first.id}${later ? ", and its deliveries" : ""}`,
		...all,
		...state.answers,
		...(later ? [later] : []),
	);
}

const noId = ({ answer }: Subscribed): Finding =>
	untestable(
		{ kind: "answer", name: "events/subscribe with an id" },
		`there is no id to compare in ${tellAnswer(answer)}; subscribe-id-derived tells of it`,
		answer,
	);
