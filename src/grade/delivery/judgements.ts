// Rules that no probe of ours can try, with what it would take.
import { untestable } from "../finding.ts";
import { type Check, checkRow } from "../scenario.ts";
import type { Stage } from "./stage.ts";

export const judgementChecks: Check<Stage>[] = [
	checkRow("payload-minimality", async () =>
		untestable(
			{ kind: "feature", name: "the judgement of a person" },
			"what is enough to recognise an event depends on what it is about; delivery-body-size measures what can be seen",
		),
	),
];
