// Lets the server begin anew by its control, and waits until it has.
import type { GradeContext } from "../context.ts";
import { type Finding, untestable } from "../finding.ts";
import { CONTROLS } from "./controls.ts";

const LOOK_EVERY_MS = 50;
/** For a server that cannot tell its generation: the reference waits 100 ms before it goes. */
const BLIND_MS = 500;

/** Undefined once the server is there again; the finding of the rows that need it where it did not come. */
export async function restartServer({
	controls,
	waits,
	sleep,
	wire,
	now,
}: GradeContext): Promise<Finding | undefined> {
	const canTell = controls.has("generation");
	const generation = async () => {
		const told = await controls.call("generation", {});
		return told.kind === "text" ? told.text : undefined;
	};
	const before = canTell ? await generation() : undefined;
	const called = await controls.call("restart", {});
	if (called.kind === "failed") return called.finding;
	const end = now() + waits.restartMs;
	if (!canTell) await sleep(BLIND_MS);
	let isBack = false;
	while (!isBack && now() < end) {
		await sleep(LOOK_EVERY_MS);
		if (!(await wire.renew())) continue;
		const after = canTell ? await generation() : undefined;
		isBack = !canTell || (after !== undefined && after !== before);
	}
	return isBack
		? undefined
		: untestable(
				{ kind: "control", name: CONTROLS.restart },
				`it is acknowledged, and within ${waits.restartMs} ms the server did not begin anew`,
				called.answer,
			);
}
