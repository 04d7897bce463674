// A database that cannot be read for a while: told once, and once more when it can be read again.
import { Fault } from "../../../faults/index.ts";
import type { Clock } from "../../clock.ts";
import type { SqliteFailure } from "./sqlite-failure.ts";

export interface Trouble {
	/** The last look failed. */
	readonly isOn: boolean;
	take(error: Fault | SqliteFailure): void;
	end(): void;
}

/** Locks of ordinary commits are gone long before; only longer ones are told. */
const TOLD_AFTER_MS = 2_000;

export function createTrouble({
	file,
	clock,
	note,
}: {
	file: string;
	clock: Clock;
	note: (text: string) => void;
}): Trouble {
	let since: number | undefined;
	let isTold = false;
	return {
		get isOn() {
			return since !== undefined;
		},
		take(error) {
			since ??= clock.now();
			if (isTold || clock.now() - since < TOLD_AFTER_MS) return;
			isTold = true;
			const why = error instanceof Fault ? error.what : error.message;
			note(`${file} cannot be read for now, and is waited for: ${why}`);
		},
		end() {
			if (isTold) note(`${file} can be read again`);
			since = undefined;
			isTold = false;
		},
	};
}
