// events-discovery: does a server say that it has events, and is its catalogue what the contract wants (events.md 1, 2).
import { defineScenario } from "../scenario.ts";
import { capabilityChecks } from "./capability.ts";
import { changeChecks } from "./changes.ts";
import { closingChecks } from "./closing.ts";
import { descriptorChecks } from "./descriptors.ts";
import { errorChecks } from "./errors.ts";
import { listingChecks } from "./listing.ts";
import { noticeChecks } from "./notices.ts";

export const discovery = defineScenario({
	scenario: "events-discovery",
	// All that is needed was asked before the first check.
	prepare: async () => undefined,
	checks: [
		...capabilityChecks,
		...listingChecks,
		...descriptorChecks,
		...errorChecks,
		...noticeChecks,
		...changeChecks,
		...closingChecks,
	],
});
