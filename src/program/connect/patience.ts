// Asking again where a server is only busy: for the questions before the events flow, whose loops have their own ways.
import { Fault, type FaultCode } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type { Patiently } from "../../session/index.ts";
import type { World } from "../process/world.ts";

/** 429 and 5xx, and what JSON-RPC has for them: the server is there, and says that it cannot for the moment. */
const BUSY: ReadonlySet<FaultCode> = new Set([
	"rate-limited",
	"server-failing",
]);
const TRIES = 3;
const FIRST_WAIT_MS = 500;
/** Whoever asks for a longer wait is told of to the user, who may have other plans. */
const LONGEST_WAIT_MS = 30_000;

/** Asks up to three times, waits as long as the server wants in between, and says so. Throws the last fault. */
export function patience(
	{ sleep, random, stop }: Pick<World, "sleep" | "random" | "stop">,
	output: Pick<Output, "say">,
): Patiently {
	return async (ask) => {
		for (let tries = 1; ; tries++) {
			try {
				return await ask();
			} catch (fault) {
				if (!(fault instanceof Fault) || !BUSY.has(fault.code)) throw fault;
				const longestMs = FIRST_WAIT_MS * 2 ** tries;
				const waitMs = Math.max(random() * longestMs, fault.retryAfterMs ?? 0);
				if (tries === TRIES || waitMs > LONGEST_WAIT_MS) throw fault;
				output.say(`${fault.what}: asked again, ${tries + 1} of ${TRIES}`);
				await sleep(waitMs, stop);
			}
		}
	};
}
