// Where events go that no command has handled: into the captures, as a delivery that nobody signed, so that `captures`
// shows it and `replay` sends it, signed as of then.
import { randomBytes } from "node:crypto";
import type { CaptureLog } from "../../captures/index.ts";
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import { type HeaderPair, WEBHOOK_HEADERS } from "../../protocol/index.ts";
import { ownerOf } from "../connect/owner.ts";
import type { World } from "../process/world.ts";
import type { ExecEvent } from "./exec-event.ts";

export interface Parking {
	/** The capture's id, once it is on disk; undefined where it cannot be, which is told. */
	park(event: ExecEvent, why: string): Promise<string | undefined>;
	close(): Promise<void>;
}

/** The path of a delivery that never came by one. */
const PARKED_PATH = "/parked";
const SAFE_ID = /^[\x21-\x7e]{1,200}$/;

/** Makes nothing before there is something to park. */
export function openParking(
	folder: string,
	{ world, output }: { world: World; output: Output },
): Parking {
	let log: Promise<CaptureLog> | undefined;
	const open = async () => {
		const { openCaptureLog } = await import("../../captures/index.ts");
		return openCaptureLog({
			folder,
			now: world.now,
			randomBytes,
			owner: ownerOf(world),
		});
	};
	return {
		async park(event, why) {
			// It came as a delivery, and lies there already.
			if (event.capture !== undefined) return event.capture;
			try {
				log ??= open();
				const { id } = await (await log).append({
					receivedAtMs: event.at,
					method: "POST",
					path: PARKED_PATH,
					headers: headersOf(event),
					body: event.line,
					verdict: parkedVerdict(why),
					answer: { status: null },
					subscription: event.subscription,
				});
				return id;
			} catch (error) {
				if (!(error instanceof Fault)) throw error;
				log = undefined;
				output.warn(
					`${event.id} could not be parked: ${error.why ?? error.what}`,
				);
				return undefined;
			}
		},
		async close() {
			const opened = await log?.catch(() => undefined);
			await opened?.close();
		},
	};
}

const parkedVerdict = (why: string) => ({ kind: "parked", why });

/** An id that a header can hold is that of the message too: a receiver then knows a repetition. */
function headersOf({ id }: ExecEvent): HeaderPair[] {
	const type: HeaderPair = ["Content-Type", "application/json"];
	return SAFE_ID.test(id) ? [type, [WEBHOOK_HEADERS.id, id]] : [type];
}
