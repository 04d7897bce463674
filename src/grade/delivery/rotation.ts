// A new secret: for a while both sign (events.md 6, Secret rotation).
import { randomBytes } from "node:crypto";
import { newSecret } from "../../signing/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import type { Check } from "../scenario.ts";
import { isSignedWith } from "./signatures.ts";
import { deliveryRow, noEvent, refusedProbe, type Stage } from "./stage.ts";

export const rotationChecks: Check<Stage>[] = [
	deliveryRow("delivery-dual-sign-on-rotation", tryRotation, {
		lane: "rotation",
	}),
];

async function tryRotation(
	_context: GradeContext,
	stage: Stage,
): Promise<Finding> {
	const probe = await stage.open();
	const [old] = probe.secrets;
	if (!probe.sub.result || !old) return refusedProbe(probe);
	if (!(await stage.nextEvent(probe.path))) return noEvent(probe.sub.answer);
	const fresh = newSecret(randomBytes);
	probe.secrets.push(fresh);
	const refreshed = await probe.sub.again({ secret: fresh });
	if (!refreshed.result) return refusedProbe({ ...probe, sub: refreshed });
	const event = await stage.nextEvent(
		probe.path,
		probe.path.requests.length,
		(request) => isSignedWith(request, [fresh]),
	);
	await probe.sub.release();
	if (!event)
		return untestable(
			{
				kind: "traffic",
				name: "a delivery that is signed with the new secret",
			},
			"none came after the refresh that brought it",
			refreshed.answer,
		);
	return isSignedWith(event, [old])
		? holds("signed with the new secret and with the old one", event)
		: broken(
				"the first event after the refresh is signed with the new secret alone",
				refreshed.answer,
				event,
			);
}
