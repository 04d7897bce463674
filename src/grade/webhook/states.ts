// What the controls tell of a subscription: the state by its id, and the generation of the server.
import type { GradeContext } from "../context.ts";
import { type Finding, untestable } from "../finding.ts";
import { CONTROLS } from "../traffic/controls.ts";
import type { Answer } from "../wire/answer.ts";

export interface State {
	/** active, suspended or absent; undefined where it cannot be known. */
	word: string | undefined;
	/** The answer that told it. */
	answers: readonly Answer[];
}

export async function stateOf(
	{ controls }: GradeContext,
	id: string | undefined,
): Promise<State> {
	if (id === undefined || !controls.has("subscriptionState"))
		return { word: undefined, answers: [] };
	const told = await controls.call("subscriptionState", { id });
	if (told.kind === "failed") return { word: undefined, answers: [] };
	return { word: told.text.trim(), answers: [told.answer] };
}

const STEP_MS = 150;

/** Asks until it is this one, no longer than `ms`; the last that was told. */
export async function waitForState(
	context: GradeContext,
	id: string | undefined,
	wanted: { word: string; ms: number },
): Promise<State> {
	const until = context.now() + wanted.ms;
	for (;;) {
		const state = await stateOf(context, id);
		const isOver = context.now() >= until || state.word === undefined;
		if (state.word === wanted.word || isOver) return state;
		await context.sleep(Math.min(STEP_MS, wanted.ms));
	}
}

/** Restarts the server by the control; the finding of rows that need it where it does not come back. */
export async function restart(
	context: GradeContext,
): Promise<Finding | undefined> {
	const { controls, waits, wire } = context;
	const before = await controls.call("generation", {});
	if (before.kind === "failed") return before.finding;
	const asked = await controls.call("restart", {});
	if (asked.kind === "failed") return asked.finding;
	const until = context.now() + waits.restartMs;
	while (context.now() < until) {
		await context.sleep(STEP_MS);
		if (!(await wire.renew())) continue;
		const now = await controls.call("generation", {});
		if (now.kind === "text" && now.text !== before.text) return undefined;
	}
	return untestable(
		{ kind: "control", name: CONTROLS.restart },
		`it is acknowledged, and the generation still is ${before.text} after ${waits.restartMs} ms`,
		asked.answer,
	);
}
