// events-webhook: subscribing, leases, keys and ends of webhook subscriptions (events.md 6 and 7).
import { METHODS } from "../../protocol/index.ts";
import { resultTypeCheck } from "../closing-checks.ts";
import { defineScenario } from "../scenario.ts";
import { accessChecks } from "./access.ts";
import { durabilityChecks } from "./durability.ts";
import { answerChecks, firstSubscribeChecks } from "./first-subscribe.ts";
import { openWebhookGround, type WebhookGround } from "./ground.ts";
import { keyChecks } from "./keys.ts";
import { leaseChecks } from "./leases.ts";
import { principalChecks } from "./principals.ts";
import { refreshChecks } from "./refreshing.ts";
import { refusalChecks } from "./refusals.ts";
import { replayChecks } from "./replaying.ts";
import { routingChecks } from "./routing.ts";
import { unsubscribeChecks } from "./unsubscribing.ts";

export const webhook = defineScenario<WebhookGround>({
	scenario: "events-webhook",
	prepare: openWebhookGround,
	checks: [
		...firstSubscribeChecks,
		...keyChecks,
		...refusalChecks,
		...principalChecks,
		...leaseChecks,
		...routingChecks,
		...refreshChecks,
		...replayChecks,
		...unsubscribeChecks,
		...accessChecks,
		...durabilityChecks,
		...answerChecks,
		resultTypeCheck(
			[METHODS.subscribe, METHODS.unsubscribe],
			"events/subscribe that is answered by a result",
		),
	],
	close: ({ subscriptions }) => subscriptions.releaseAll(),
});
