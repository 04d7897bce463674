// events-push: does a stream open, tell what happens, survive its troubles, and end as it should (events.md 5 and 7).
import { defineScenario } from "../scenario.ts";
import { cancelChecks } from "./cancel.ts";
import { endingChecks } from "./endings.ts";
import { openPushGround, type PushGround } from "./ground.ts";
import { heartbeatChecks } from "./heartbeats.ts";
import { historyChecks } from "./history.ts";
import { limitChecks } from "./limits.ts";
import { openingChecks } from "./opening.ts";
import { refusalChecks } from "./refusals.ts";
import { removalChecks } from "./removals.ts";
import { troubleChecks } from "./troubles.ts";
import { wholeChecks } from "./whole.ts";

export const push = defineScenario<PushGround>({
	scenario: "events-push",
	prepare: openPushGround,
	// Each of the quiet ones has no more than two streams of one type at a time beside the main one.
	checks: [
		...openingChecks,
		...historyChecks,
		...limitChecks,
		...cancelChecks,
		...refusalChecks,
		...heartbeatChecks,
		...troubleChecks,
		...removalChecks,
		...endingChecks,
		...wholeChecks,
	],
	async close({ streams }) {
		await Promise.all(streams.map((stream) => stream.cancel()));
	},
});
