// Who may subscribe: nobody without a principal, and each principal for itself alone (events.md 6 and 7).
import { isRecord, METHODS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { isErrorOf } from "../error-names.ts";
import {
	broken,
	type Finding,
	holds,
	odd,
	skipped,
	untestable,
} from "../finding.ts";
import type { Subscribed } from "../receiving/subscriptions.ts";
import { type Check, checkRow } from "../scenario.ts";
import { CONTROLS } from "../traffic/controls.ts";
import { type Answer, errorOf, resultOf, tellAnswer } from "../wire/answer.ts";
import { notTaken, subscribedRow, type WebhookGround } from "./ground.ts";

export const principalChecks: Check<WebhookGround>[] = [
	subscribedRow("subscribe-auth-required", async (context, ground) => {
		const { wire, profile } = context;
		if (wire.kind === "stdio")
			return skipped("over stdio a request has no credential to leave out");
		if (!hasCredentials(context))
			return untestable(
				{
					kind: "credential",
					name: "credentials for the server: --header or --bearer-env",
				},
				"this run has none that could be left out",
			);
		const { url } = ground.newCallback();
		const subscribed = await ground.subscribe({ url, caller: "nobody" });
		const unsubscribed = await subscribed.release();
		const answers = [subscribed.answer, unsubscribed];
		const told = `without the credential: ${answers.map(tellAnswer).join("; ")}`;
		if (answers.some(resultOf)) return broken(told, ...answers);
		return answers.every((answer) => isRefusedEntry(answer, profile))
			? holds(told, ...answers)
			: odd(`${told}, where Forbidden or HTTP 401 is meant`, ...answers);
	}),

	checkRow("webhook-needs-principals", judgeNobody),

	subscribedRow("subscribe-cross-tenant-isolation", async (context, ground) => {
		const { options, controls, wire } = context;
		if (wire.kind === "http" && options.secondHeaders.length > 0) {
			const found = await isolateBySecond(context, ground);
			if (found) return found;
		}
		const lacking = controls.missing("subscribeAs", "subscriptionExists");
		return lacking ?? (await isolateByControl(context, ground));
	}),
];

/** Whether this run has credentials that can be left out of a request. */
export function hasCredentials({ options }: GradeContext): boolean {
	const { target } = options;
	return (
		target.kind === "http" &&
		(target.headers.length > 0 || target.bearer !== undefined)
	);
}

/** Refused at the door, or by the contract's own error. */
function isRefusedEntry(
	answer: Answer,
	profile: GradeContext["profile"],
): boolean {
	const error = errorOf(answer);
	if (answer.status === 401 || answer.status === 403) return true;
	return error !== undefined && isErrorOf(error, "Forbidden", profile);
}

/** Lists what a caller without a credential is shown, and whether such a caller can have it. */
async function judgeNobody(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Finding> {
	const { wire, listing } = context;
	if (wire.kind === "stdio")
		return skipped("over stdio the one caller is the principal");
	if (hasPlaceCredential(context))
		return untestable(
			{ kind: "credential", name: "a URL without credentials in it" },
			"what is in the URL may be the principal, and cannot be left out",
		);
	const isBare = !hasCredentials(context);
	const page = isBare
		? listing.pages[0]
		: await wire.ask(METHODS.list, {}, { caller: "nobody" });
	const listed = isBare || listsWebhook(page);
	if (!listed)
		return holds(
			`without a credential no webhook is listed: ${tellAnswer(page)}`,
			page,
		);
	const { url } = ground.newCallback();
	const subscribed = isBare
		? ground.main
		: await ground.subscribe({ url, caller: "nobody" });
	if (!isBare) await subscribed.release();
	const told = `webhook is listed without a credential, and a subscribe is answered with ${tellAnswer(subscribed.answer)}`;
	if (!subscribed.result) return holds(told, page, subscribed.answer);
	if (isBare) return broken(told, page, subscribed.answer);
	return untestable(
		{ kind: "answer", name: "a refusal of callers without a credential" },
		`${told}; subscribe-auth-required tells of it`,
		page,
		subscribed.answer,
	);
}

function hasPlaceCredential({ options: { target } }: GradeContext): boolean {
	if (target.kind !== "http") return false;
	const { search, username, password } = target.url;
	return search !== "" || username !== "" || password !== "";
}

function listsWebhook(page: Answer): boolean {
	const events: unknown = resultOf(page)?.events;
	return (
		Array.isArray(events) &&
		events.some(
			(type) =>
				isRecord(type) &&
				Array.isArray(type.delivery) &&
				type.delivery.includes("webhook"),
		)
	);
}

/** Undefined where the second principal may not subscribe: the controls may do. */
async function isolateBySecond(
	{ profile }: GradeContext,
	ground: WebhookGround,
): Promise<Finding | undefined> {
	const { url } = ground.newCallback();
	const own = await ground.subscribe({ url });
	if (!own.result) return notTaken(ground, own);
	const other = await ground.subscribe({ url, caller: "second" });
	if (!other.result) {
		await own.release();
		return undefined;
	}
	const cites = [own.answer, other.answer];
	const ended = await own.release();
	const otherEnded = await other.release();
	if (own.id === undefined || other.id === undefined) return noIds(...cites);
	if (own.id === other.id)
		return broken(`both principals have the id ${own.id}`, ...cites);
	const told = `two ids, ${own.id} and ${other.id}`;
	const error = errorOf(otherEnded);
	if (resultOf(ended) && error && isErrorOf(error, "NotFound", profile))
		return broken(
			`when the first principal unsubscribed, the second's was gone too: ${tellAnswer(otherEnded)}`,
			...cites,
			ended,
			otherEnded,
		);
	return holds(
		`${told}; the second's was still there when the first's had ended`,
		...cites,
		ended,
		otherEnded,
	);
}

async function isolateByControl(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Finding> {
	const { controls, unique } = context;
	// The control subscribes without arguments.
	const { name } = ground.subject;
	const { url } = ground.newCallback();
	const own = await ground.subscribe({ url, subject: { name, arguments: {} } });
	if (!own.result) return notTaken(ground, own);
	const who = { principal: `conformance-${unique()}`, name, url };
	const other = await controls.call("subscribeAs", who);
	const ended = await own.release();
	if (other.kind === "failed") return other.finding;
	const exists = await controls.call("subscriptionExists", who);
	if (exists.kind === "failed") return exists.finding;
	const cites = [own.answer, other.answer, ended, exists.answer];
	if (own.id === undefined) return noIds(own.answer);
	if (other.text.trim() === own.id)
		return broken(`both principals have the id ${own.id}`, ...cites);
	if (!resultOf(ended)) return notEnded(own, ended);
	return exists.text.trim() === "true"
		? holds(
				`two ids, ${own.id} and ${other.text.trim()}; the other's was still there when ours had ended`,
				...cites,
			)
		: broken(
				`when ours ended, ${CONTROLS.subscriptionExists} says of the other's ${JSON.stringify(exists.text)}`,
				...cites,
			);
}

const noIds = (...cites: Answer[]): Finding =>
	untestable(
		{ kind: "answer", name: "events/subscribe with an id" },
		"there are no ids to compare; subscribe-id-derived tells of it",
		...cites,
	);

const notEnded = (own: Subscribed, ended: Answer): Finding =>
	untestable(
		{ kind: "answer", name: "events/unsubscribe" },
		`it was answered with ${tellAnswer(ended)}; unsubscribe-by-key tells of it`,
		own.answer,
		ended,
	);
