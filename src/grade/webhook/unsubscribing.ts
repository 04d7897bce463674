// The end of a subscription by its key, and what comes after an end (events.md 6, Unsubscribe).
import { METHODS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { isErrorOf } from "../error-names.ts";
import { broken, type Finding, holds, odd, untestable } from "../finding.ts";
import { isEvent } from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import { CONTROLS } from "../traffic/controls.ts";
import { errorOf, resultOf, tellAnswer } from "../wire/answer.ts";
import { notTaken, subscribedRow, type WebhookGround } from "./ground.ts";
import { waitForState } from "./states.ts";

export const unsubscribeChecks: Check<WebhookGround>[] = [
	subscribedRow("unsubscribe-unknown-not-found", async (context, ground) => {
		const { wire, profile } = context;
		const { subject, newCallback } = ground;
		const answer = await wire.ask(METHODS.unsubscribe, {
			name: subject.name,
			arguments: subject.arguments,
			delivery: { mode: "webhook", url: newCallback().url },
		});
		const told = `a URL that was never subscribed: ${tellAnswer(answer)}`;
		const error = errorOf(answer);
		const isNotFound = error && isErrorOf(error, "NotFound", profile);
		if (profile === "chatgpt")
			return resultOf(answer) ? holds(told, answer) : odd(told, answer);
		if (isNotFound) return holds(told, answer);
		return error ? odd(told, answer) : broken(told, answer);
	}),

	subscribedRow("subscribe-after-termination", subscribeAgain),

	// Last of its lane: the scenario's own subscription ends here.
	subscribedRow("unsubscribe-by-key", async (context, ground) => {
		const { main } = ground;
		await ground.firstEvent();
		const answer = await main.release();
		const told = `the key of the first subscription: ${tellAnswer(answer)}`;
		if (!resultOf(answer)) return broken(told, main.answer, answer);
		const after = await lookAfterwards(context, ground);
		return after.isOver
			? holds(`${told}; ${after.told}`, main.answer, answer, ...after.cites)
			: broken(
					`${told}, yet ${after.told}`,
					main.answer,
					answer,
					...after.cites,
				);
	}),
];

interface Afterwards {
	isOver: boolean;
	told: string;
	cites: Extract<Finding, { kind: "holds" }>["cites"];
}

/** Whether the end came at once: by the control, else by what is still delivered. */
async function lookAfterwards(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Afterwards> {
	const { waits } = context;
	const { main, mainPath } = ground;
	const state = await waitForState(context, main.id, {
		word: "absent",
		ms: waits.afterCancelMs,
	});
	if (state.word !== undefined)
		return {
			isOver: state.word === "absent",
			told: `the state of its id is ${state.word}`,
			cites: state.answers,
		};
	if (!(await ground.firstEvent()))
		return {
			isOver: true,
			told: "whether deliveries stopped could not be seen, for there were none",
			cites: [],
		};
	// What was on its way may still arrive.
	await context.sleep(waits.afterCancelMs);
	const from = mainPath.requests.length;
	const late = await mainPath.waitFor(isEvent, waits.quietMs, from);
	return late
		? { isOver: false, told: "deliveries went on", cites: [late] }
		: {
				isOver: true,
				told: `nothing was delivered in ${waits.quietMs} ms`,
				cites: [],
			};
}

async function subscribeAgain(
	context: GradeContext,
	ground: WebhookGround,
): Promise<Finding> {
	const { controls, waits } = context;
	const lacking = controls.missing("webhookTerminate");
	if (lacking) return lacking;
	const own = await ground.subscribe(ground.newCallback());
	if (!own.result) return notTaken(ground, own);
	const { id } = own;
	if (id === undefined)
		return untestable(
			{ kind: "answer", name: "events/subscribe with an id" },
			"the control ends a subscription by its id",
			own.answer,
		);
	const ended = await controls.call("webhookTerminate", { id });
	if (ended.kind === "failed") return ended.finding;
	const wanted = { word: "absent", ms: waits.terminatedMs };
	const gone = await waitForState(context, id, wanted);
	const again = await own.again();
	const alive = { word: "active", ms: waits.activeMs };
	const state = await waitForState(context, again.id, alive);
	await again.release();
	const cites = [own.answer, ended.answer, again.answer, ...state.answers];
	if (gone.word !== undefined && gone.word !== "absent")
		return untestable(
			{ kind: "control", name: CONTROLS.webhookTerminate },
			`it is acknowledged, and the state still is ${gone.word}`,
			...cites,
			...gone.answers,
		);
	const told = `the same key after its end: ${tellAnswer(again.answer)}`;
	if (!again.result) return broken(told, ...cites);
	if (again.id !== id)
		return broken(`${told}; the id was ${id} before`, ...cites);
	return state.word === undefined || state.word === "active"
		? holds(`${told}, ${state.word ?? "with the id that it had"}`, ...cites)
		: broken(`${told}, and its state is ${state.word}`, ...cites);
}
