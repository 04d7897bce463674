// A rule that is graded alone (--only) has the verdict that it has among all the others.
import { describe, expect, it } from "vitest";
import {
	CATALOGUE,
	type CatalogueRow,
	SCENARIOS,
} from "../../src/grade/index.ts";
import {
	gradeDelivery,
	openDeliveryServer,
} from "../grade/delivery/delivery-server.ts";
import { gradePoll } from "../grade/poll/poll-reference.ts";
import { gradePush } from "../grade/push/push-reference.ts";
import {
	gradeWebhook,
	openWebhookServer,
} from "../grade/webhook/webhook-server.ts";
import { ofDiscovery } from "../rows/own-servers.ts";
import { type Verdicts, verdictsIn } from "../rows/tried.ts";

type Only = { only?: readonly CatalogueRow[] };

/** Our own server with all that it is tried with, graded by some of the rules, or by all. */
const GRADE: Readonly<
	Record<(typeof SCENARIOS)[number], (only: Only) => Promise<Verdicts>>
> = {
	"events-discovery": (only) => ofDiscovery(undefined, only),
	"events-poll": async (only) => verdictsIn(await gradePoll({}, only)),
	"events-push": async (only) => verdictsIn(await gradePush({}, only)),
	async "events-webhook"(only) {
		await using server = await openWebhookServer();
		const found = await gradeWebhook(server.url, only);
		return new Map([...found].map(([id, { verdict }]) => [id, verdict]));
	},
	async "events-webhook-delivery"(only) {
		await using server = await openDeliveryServer();
		return verdictsIn(await gradeDelivery(server.url, only));
	},
};

const AT_ONCE = 8;

async function differencesIn(scenario: keyof typeof GRADE): Promise<string[]> {
	const grade = GRADE[scenario];
	const whole = await grade({});
	const rows = CATALOGUE.filter((row) => row.scenario === scenario);
	const found: string[] = [];
	const left = [...rows];
	const work = async () => {
		for (let row = left.shift(); row; row = left.shift()) {
			const { id } = row;
			const alone = (await grade({ only: [row] })).get(id);
			if (alone !== whole.get(id))
				found.push(`${id}: ${whole.get(id)} among all, ${alone} alone`);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return found.sort();
}

describe("a rule that is graded alone", () => {
	it.each(SCENARIOS)(
		"%s: has the verdict that it has among all",
		{ timeout: 280_000, retry: 1 },
		async (scenario) => {
			expect(await differencesIn(scenario)).toEqual([]);
		},
	);
});
