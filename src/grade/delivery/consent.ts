import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { redirectTo } from "../receiving/behaviour.ts";
import { isChallenge, isEvent } from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import { deliveryRow, noEvent, type Probe, type Stage } from "./stage.ts";

export const consentChecks: Check<Stage>[] = [
	deliveryRow(
		"verification-required-before-delivery",
		async (_context, stage) => judgeOrder(stage),
		{ needsNoEvent: true, lane: "consent" },
	),

	deliveryRow(
		"verification-challenge-echo",
		async (_context, { main }) => judgeChallenge(main),
		{ needsNoEvent: true, lane: "consent" },
	),

	deliveryRow("verification-uses-ssrf-hardened-path", tryRedirect, {
		needsNoEvent: true,
		lane: "consent",
	}),
];

function judgeOrder({ main, place }: Stage): Finding {
	const { requests } = main.path;
	const event = requests.findIndex(isEvent);
	const challenge = requests.findIndex(isChallenge);
	const fetches = place.receiver.documentRequests;
	if (event < 0 && challenge < 0) return noEvent(main.sub.answer);
	const cites = [requests[challenge], requests[event]].flatMap((request) =>
		request ? [request] : [],
	);
	if (challenge >= 0 && (event < 0 || challenge < event))
		return holds("the challenge came before the first event", ...cites);
	if (fetches[0])
		return untestable(
			{ kind: "feature", name: "a server that asks by handshake" },
			"it fetched the well-known document in place of a challenge; well-known-document-honoured tells of it",
			fetches[0],
		);
	return broken(
		challenge < 0
			? "an event was delivered, and no consent was ever asked for"
			: "an event was delivered before the challenge",
		...cites,
	);
}

function judgeChallenge({ path, sub }: Probe): Finding {
	const challenge = path.requests.find(isChallenge);
	if (!challenge) return noChallenge(sub.answer);
	const text = challenge.json?.challenge;
	return typeof text === "string" && text !== ""
		? holds(
				"a verification envelope with a challenge, echoed and taken",
				challenge,
				sub.answer,
			)
		: broken(`its challenge is ${JSON.stringify(text)}`, challenge);
}

export const noChallenge = (...cites: Parameters<typeof untestable>[2][]) =>
	untestable(
		{ kind: "feature", name: "a server that asks by handshake" },
		"no challenge came",
		...cites,
	);

async function tryRedirect(
	{ waits }: GradeContext,
	stage: Stage,
): Promise<Finding> {
	const target = stage.place.openPath();
	const probe = await stage.open({
		behaviour: { challenge: () => redirectTo(target.url, 307) },
	});
	const challenge = probe.path.requests.find(isChallenge);
	if (!challenge) return noChallenge(probe.sub.answer);
	// The subscribe was answered: whoever follows has done so by now.
	const followed = await target.waitFor(() => true, waits.afterCancelMs);
	await probe.sub.release();
	return followed
		? broken("a challenge that was redirected went where it was sent", followed)
		: holds(
				`a challenge was answered 307, and nothing came to its target`,
				challenge,
				probe.sub.answer,
			);
}
