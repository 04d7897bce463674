// For each scenario the servers that keep its rules, and for each rule one that breaks it.
import type { CatalogueRow } from "../../src/grade/index.ts";
import { onResult } from "../../src/reference/flaws/hooks.ts";
import { FLAWS } from "../../src/reference/index.ts";
import { gradeBent } from "../grade/modes/modes-server.ts";
import { gradePoll, QUIET } from "../grade/poll/poll-reference.ts";
import {
	BREAKING,
	ofDouble,
	ofPushStdio,
	WITHOUT_EVENTS,
} from "./other-servers.ts";
import {
	ofDeliveries,
	ofDiscovery,
	ofPoll,
	ofPush,
	ofWebhooks,
} from "./own-servers.ts";
import { type Tried, type Verdicts, verdictsIn } from "./tried.ts";

type Scenario = CatalogueRow["scenario"];

const SERVE = "serve --conformance-controls";
const SERVE_ALL = "serve --conformance-controls --token … --store …";

const withMeta = onResult("events/poll", ({ events = [] }) => {
	for (const event of events) event._meta = { "example.com/a": 1 };
});
const withoutReplay = {
	...QUIET,
	types: QUIET.types.map((type) => ({ ...type, hasReplay: false })),
};

/** In the order in which a rule is looked for among them: the first that passes it stands for all. */
export const KEEPING: Readonly<Record<Scenario, readonly Tried[]>> = {
	"events-discovery": [
		{ server: SERVE, grade: () => ofDiscovery() },
		{ server: "events-double.ts", grade: () => ofDouble() },
		{
			server: "events-double.ts without events",
			grade: () => ofDouble(WITHOUT_EVENTS),
		},
	],
	"events-poll": [
		{ server: SERVE, grade: () => ofPoll() },
		{
			server: `${SERVE}, with _meta in events`,
			grade: async () => verdictsIn(await gradePoll({ hooks: withMeta })),
		},
		{
			server: `${SERVE}, and a type without replay`,
			grade: async () =>
				verdictsIn(await gradePoll({ sources: [withoutReplay] })),
		},
	],
	"events-push": [
		{ server: SERVE, grade: () => ofPush() },
		{ server: "push-stdio.mjs", grade: () => ofPushStdio("none") },
	],
	"events-webhook": [{ server: SERVE_ALL, grade: () => ofWebhooks() }],
	"events-webhook-delivery": [
		{ server: SERVE_ALL, grade: () => ofDeliveries() },
	],
	"events-modes": [
		{ server: SERVE_ALL, grade: async () => verdictsIn(await gradeBent({})) },
	],
};

const OF_FLAW: Partial<Record<Scenario, (flaw: string) => Promise<Verdicts>>> =
	{
		"events-discovery": ofDiscovery,
		"events-poll": ofPoll,
		"events-push": ofPush,
		"events-webhook": ofWebhooks,
		"events-webhook-delivery": ofDeliveries,
	};

/** The server that breaks a rule: ours with a flaw, else another. Undefined where nothing can try the rule. */
export function breakingServer(
	row: Pick<CatalogueRow, "scenario" | "id">,
): Tried | undefined {
	const { scenario, id } = row;
	const flaw = FLAWS.find(
		(one) => one.scenario === scenario && one.rule === id,
	);
	const grade = OF_FLAW[scenario];
	if (flaw && grade)
		return { server: `--fault ${flaw.name}`, grade: () => grade(flaw.name) };
	return BREAKING[`${scenario}/${id}`];
}

/** Rules that no server of ours can be seen to keep or break, with the reason. */
export const UNTRIED: Readonly<Record<string, string>> = {
	"events-webhook-delivery/ssrf-validate-at-delivery-time":
		"the address of a name would have to change while the run lasts",
	"events-webhook-delivery/payload-minimality":
		"what is enough to recognise an event is for a person to judge",
};
