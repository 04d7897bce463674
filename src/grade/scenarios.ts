// The scenarios that are graded. A new one is added here, and nowhere else.
import { delivery } from "./delivery/scenario.ts";
import { discovery } from "./discovery/scenario.ts";
import { modes } from "./modes/scenario.ts";
import { poll } from "./poll/scenario.ts";
import { push } from "./push/scenario.ts";
import type { GradedScenario } from "./scenario.ts";
import { webhook } from "./webhook/scenario.ts";

export const GRADED_SCENARIOS: readonly GradedScenario[] = [
	discovery,
	poll,
	push,
	webhook,
	delivery,
	modes,
];
