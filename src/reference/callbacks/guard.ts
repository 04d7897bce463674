// What may be called, judged by everything that its host resolves to.
import type { CallbackReason } from "../../protocol/index.ts";
import type { Clock } from "../clock.ts";
import type { AddressRule } from "./address-rule.ts";
import { CallFailure } from "./call-failure.ts";
import { bareHost, literalAddress } from "./callback-url.ts";
import type { Names } from "./names.ts";

export type Judgement =
	| { kind: "allowed"; addresses: string[] }
	/** One address at least may not be called. */
	| { kind: "forbidden" }
	| { kind: "no-such-name" }
	/** The name could not be asked for. */
	| { kind: "failed"; reason: CallbackReason };

export interface Guard {
	/** Asks for the host's addresses, each time anew, and judges all of them. Dials nothing. */
	judge(url: URL): Promise<Judgement>;
}

export interface GuardOptions {
	names: Names;
	isAllowed: AddressRule;
	/** Origins of the fixture control: whatever they resolve to may be called. */
	freed: ReadonlySet<string>;
	clock: Clock;
	/** The most that a question for a name may take: this machine's own way knows no end by itself. */
	deadlineMs: number;
}

export function makeGuard(options: GuardOptions): Guard {
	const { names, isAllowed, freed } = options;
	return {
		async judge(url) {
			try {
				const literal = literalAddress(url);
				const addresses = literal
					? [literal]
					: await inTime(options, names.addressesOf(bareHost(url)));
				if (addresses.length === 0) return { kind: "no-such-name" };
				const passes = freed.has(url.origin) || addresses.every(isAllowed);
				return passes ? { kind: "allowed", addresses } : { kind: "forbidden" };
			} catch (error) {
				if (!(error instanceof CallFailure)) throw error;
				return { kind: "failed", reason: error.reason };
			}
		},
	};
}

async function inTime<T>(
	{ clock, deadlineMs }: GuardOptions,
	work: Promise<T>,
): Promise<T> {
	let cancel = () => {};
	const late = new Promise<never>((_resolve, reject) => {
		const fail = () => reject(new CallFailure("timeout"));
		cancel = clock.setTimer(fail, deadlineMs);
	});
	return await Promise.race([work, late]).finally(cancel);
}
