// Our own server graded by one scenario, right or with one flaw, as the tests of that scenario do.
import type { GradeOptions } from "../../src/grade/index.ts";
import {
	openDemoSource,
	openReferenceServer,
	parseFlaws,
} from "../../src/reference/index.ts";
import {
	authorization,
	certificate,
	gradeDelivery,
	gradeFlawed,
	openDeliveryServer,
} from "../grade/delivery/delivery-server.ts";
import { gradeWith } from "../grade/grade-with.ts";
import { gradePoll } from "../grade/poll/poll-reference.ts";
import { gradePush, STRICT_WAITS } from "../grade/push/push-reference.ts";
import {
	gradeWebhook,
	openWebhookServer,
} from "../grade/webhook/webhook-server.ts";
import { realClock } from "../reference/manual-clock.ts";
import { type Verdicts, verdictsIn } from "./tried.ts";

/** Without a name: right. */
type OfFlaw = (flaw?: string) => Promise<Verdicts>;

/** In small pages, so that there are several. */
export async function ofDiscovery(
	flaw?: string,
	options: Partial<GradeOptions> = {},
): Promise<Verdicts> {
	await using server = await openReferenceServer({
		profile: "final",
		sources: [openDemoSource({ clock: realClock, seed: "a", epoch: "a" })],
		clock: realClock,
		version: "0.0.0",
		conformanceControls: true,
		pageSize: 3,
		flaws: parseFlaws(flaw ? [flaw] : []),
	});
	const graded = await gradeWith(server.url, {
		scenarios: ["events-discovery"],
		waits: { listChangedMs: 300 },
		...options,
	});
	return verdictsIn(graded);
}

export const ofPoll: OfFlaw = async (flaw) =>
	verdictsIn(await gradePoll({ faults: flaw ? [flaw] : [] }));

/** Heartbeats that are left out are seen by a watch with little patience alone. */
const LATE = ["never-beats", "every-second-heartbeat"];

export const ofPush: OfFlaw = async (flaw) => {
	const isLate = flaw !== undefined && LATE.includes(flaw);
	const waits = isLate ? { waits: STRICT_WAITS } : {};
	return verdictsIn(await gradePush({ faults: flaw ? [flaw] : [], ...waits }));
};

export const ofWebhooks: OfFlaw = async (flaw) => {
	await using server = await openWebhookServer(flaw ? { flaw } : {});
	const found = await gradeWebhook(server.url);
	return new Map([...found].map(([id, { verdict }]) => [id, verdict]));
};

export const ofDeliveries: OfFlaw = async (flaw) => {
	if (flaw) return verdictsIn(await gradeFlawed([flaw]));
	await using server = await openDeliveryServer({ isSigningTwice: true });
	const tls = { cert: certificate.certPem, key: certificate.keyPem };
	const graded = await gradeDelivery(server.url, {
		receiver: { tls },
		secondHeaders: [authorization("bob")],
	});
	return verdictsIn(graded);
};
