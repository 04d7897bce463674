// One row of discovery, of a server that is bent in one thing.
import { expect } from "vitest";
import type { Hooks } from "../../../src/reference/flaws/flaw.ts";
import {
	openDemoSource,
	openReferenceServer,
} from "../../../src/reference/index.ts";
import {
	type Bends,
	openEventsDouble,
} from "../../fixtures/servers/events-double.ts";
import { realClock } from "../../reference/manual-clock.ts";
import { gradeWith } from "../grade-with.ts";

/** `VERDICT: message`. */
async function rowOf(url: string, id: string) {
	const graded = await gradeWith(url, {
		scenarios: ["events-discovery"],
		waits: { listenAcknowledgedMs: 300, listChangedMs: 300 },
	});
	expect(graded.defects).toEqual([]);
	const key = `events-discovery/${id}`;
	return `${graded.verdictOf(key)}: ${graded.messageOf(key)}`;
}

/** Of the small server. */
export async function bentRow(bends: Bends, id: string) {
	await using server = await openEventsDouble(bends);
	return await rowOf(server.url, id);
}

/** Of the reference server with its controls. */
export async function hookedRow(hooks: Hooks, id: string) {
	const flaw = {
		name: "by-hand",
		scenario: "events-discovery",
		rule: "none",
		about: "is bent by a test",
		make: () => hooks,
	};
	await using server = await openReferenceServer({
		profile: "final",
		sources: [openDemoSource({ clock: realClock, seed: "a", epoch: "a" })],
		clock: realClock,
		version: "0.0.0",
		conformanceControls: true,
		flaws: [{ flaw, value: 0 }],
	});
	return await rowOf(server.url, id);
}
