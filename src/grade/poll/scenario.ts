// events-poll: requests, answers, positions and gaps of poll (events.md 3, 4 and 7).
import { METHODS } from "../../protocol/index.ts";
import { resultTypeCheck, schemaCheck } from "../closing-checks.ts";
import { defineScenario } from "../scenario.ts";
import { batchChecks } from "./batches.ts";
import { endingChecks } from "./endings.ts";
import { firstAnswerChecks } from "./first-answers.ts";
import { gapChecks } from "./gaps.ts";
import { openPollGround, type PollGround, whereServed } from "./ground.ts";
import { headerChecks } from "./headers.ts";
import { maxAgeChecks } from "./max-age.ts";
import { nullStartChecks } from "./null-starts.ts";
import { occurrenceChecks } from "./occurrences.ts";
import { refusalChecks } from "./refusals.ts";
import { resumingChecks } from "./resuming.ts";
import { truncationChecks } from "./truncation.ts";
import { upstreamIdChecks } from "./upstream-ids.ts";

export const poll = defineScenario<PollGround>({
	scenario: "events-poll",
	prepare: openPollGround,
	checks: [
		...resumingChecks,
		...batchChecks,
		...maxAgeChecks,
		...nullStartChecks,
		...occurrenceChecks,
		...upstreamIdChecks,
		...whereServed([...refusalChecks, ...headerChecks]),
		...gapChecks,
		// They look at the answers to all of the polls before them.
		...firstAnswerChecks,
		...truncationChecks,
		...whereServed(endingChecks),
		resultTypeCheck([METHODS.poll], "events/poll that is answered by a result"),
		schemaCheck([METHODS.stream]),
	],
});
