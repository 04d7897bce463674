// Servers for the rules that no flaw of ours can break, or that our own server cannot show: fixtures, and bends by hand.
import { fileURLToPath } from "node:url";
import type { Hooks } from "../../src/reference/flaws/flaw.ts";
import {
	type Bends,
	EXTENSION,
	openEventsDouble,
} from "../fixtures/servers/events-double.ts";
import { openWebhookHttp } from "../fixtures/servers/webhook-http.ts";
import { gradeWith, httpTarget } from "../grade/grade-with.ts";
import { altering, inventing, losing } from "../grade/modes/bends.ts";
import {
	gradeBent,
	gradeModes,
	openModesServer,
} from "../grade/modes/modes-server.ts";
import { PUSH_WAITS } from "../grade/push/push-reference.ts";
import { authorization } from "../grade/webhook/webhook-server.ts";
import { type Tried, type Verdicts, verdictsIn } from "./tried.ts";

export async function ofDouble(bends: Bends = {}): Promise<Verdicts> {
	await using server = await openEventsDouble(bends);
	const scenarios = ["events-discovery"] as const;
	return verdictsIn(await gradeWith(server.url, { scenarios }));
}

const NO_METHOD = () => ({ error: { code: -32601, message: "no" } });

export const WITHOUT_EVENTS: Bends = {
	capabilities: {},
	answers: { "events/list": NO_METHOD, "events/poll": NO_METHOD },
};

const PUSH_STDIO = fileURLToPath(
	new URL("../fixtures/servers/push-stdio.mjs", import.meta.url),
);

/** Bent by one word; "none" is no bend. */
export async function ofPushStdio(bend: string): Promise<Verdicts> {
	const args = [PUSH_STDIO, bend];
	const graded = await gradeWith(
		{ kind: "stdio", command: process.execPath, args, env: {} },
		{
			scenarios: ["events-push"],
			waits: { ...PUSH_WAITS, pushWatchMs: 300 },
			timeoutMs: 20_000,
			budgetMs: 60_000,
		},
	);
	return verdictsIn(graded);
}

/** It looks at nobody's credential. */
async function ofRules(headers: [string, string][]): Promise<Verdicts> {
	await using server = await openWebhookHttp();
	const scenarios = ["events-webhook"] as const;
	return verdictsIn(
		await gradeWith(httpTarget(server.url, headers), { scenarios }),
	);
}

const ofModes = async (hooks: Hooks) => verdictsIn(await gradeBent(hooks));

async function ofSlowPolls(): Promise<Verdicts> {
	await using server = await openModesServer({}, { pollIntervalMs: 1_200 });
	const waits = { modesLateMs: 600 };
	return verdictsIn(await gradeModes(server.url, { waits }));
}

/** By `scenario/id`. */
export const BREAKING: Readonly<Record<string, Tried>> = {
	"events-discovery/listen-acknowledges-list-changed": {
		server: "events-double.ts that promises list changes",
		grade: () =>
			ofDouble({
				capabilities: { extensions: { [EXTENSION]: { listChanged: true } } },
			}),
	},
	"events-push/stdio-streams": {
		server: "push-stdio.mjs answers-with-a-result",
		grade: () => ofPushStdio("answers-with-a-result"),
	},
	"events-webhook/subscribe-auth-required": {
		server: "webhook-rules.mjs, with a credential to leave out",
		grade: () => ofRules([authorization("alice")]),
	},
	"events-webhook/webhook-needs-principals": {
		server: "webhook-rules.mjs, without one",
		grade: () => ofRules([]),
	},
	"events-modes/modes-none-missing": {
		server: "a server that loses an event by push",
		grade: () => ofModes(losing()),
	},
	"events-modes/modes-none-extra": {
		server: "a server that invents one by poll",
		grade: () => ofModes(inventing()),
	},
	"events-modes/modes-same-occurrence": {
		server: "a server that alters one by webhook",
		grade: () => ofModes(altering()),
	},
	"events-modes/modes-none-late": {
		server: "a server whose polls come late",
		grade: ofSlowPolls,
	},
};
