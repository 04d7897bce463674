// A delivery that is answered with a redirect: it failed, and goes nowhere else (events.md 6, Server-side safety).
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds } from "../finding.ts";
import { redirectTo } from "../receiving/behaviour.ts";
import type { Check } from "../scenario.ts";
import { deliveryRow, noEvent, refusedProbe, type Stage } from "./stage.ts";

export const redirectChecks: Check<Stage>[] = [
	deliveryRow("ssrf-no-redirects", tryRedirects, { lane: "redirects" }),
];

/** 302 makes a GET of a POST, 307 leaves it as it is: a client library may follow the one and not the other. */
const STATUSES = [302, 307];

async function tryRedirects(
	{ waits }: GradeContext,
	stage: Stage,
): Promise<Finding> {
	const target = stage.place.openPath();
	let count = 0;
	const probe = await stage.open({
		behaviour: {
			delivery: () =>
				redirectTo(target.url, STATUSES[count++ % STATUSES.length]),
		},
	});
	if (!probe.sub.result) return refusedProbe(probe);
	const event = await stage.nextEvent(probe.path);
	if (!event) return noEvent(probe.sub.answer);
	const followed = await target.waitFor(() => true, waits.redirectFollowMs);
	await probe.sub.release();
	return followed
		? broken("a redirected delivery went where it was sent", event, followed)
		: holds(
				`${probe.path.events.length} deliveries were redirected, and nothing came to their target`,
				event,
			);
}
