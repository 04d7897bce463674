// Flags and words of the commands about webhook subscriptions.
import { Flags } from "@oclif/core";
import { Fault } from "../../faults/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import {
	type EventWords,
	positionalsOf,
	readEventWords,
	readServerWords,
	type WordToken,
} from "./words.ts";

export const stateFlags = {
	state: Flags.string({
		helpValue: "DIR",
		helpGroup: "SUBSCRIPTION",
		summary: "State folder; by default the XDG state folder.",
	}),
};

/** SERVER and one EVENT; throws `wrong-use`. */
export function oneEvent(
	raw: readonly WordToken[],
	child: string[] | undefined,
): { server: ServerAddress; event: EventWords } {
	const { server } = readServerWords(positionalsOf(raw), child);
	const [event, second] = readEventWords(raw, child === undefined);
	if (event && second === undefined) return { server, event };
	throw new Fault("wrong-use", {
		what: `${JSON.stringify(second?.name)} is one event too many`,
		why: "a subscription is for one event",
		next: "one command for each event",
	});
}
