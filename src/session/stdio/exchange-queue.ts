// What one exchange has received and its consumer has not yet asked for.
import type { Message, RequestId } from "../../protocol/index.ts";

export interface ExchangeQueue {
	readonly id: RequestId;
	/** True where one answer is waited for, within a time; false for a stream. */
	readonly isTimed: boolean;
	/** Bytes that wait. */
	readonly waitingBytes: number;
	/** True once anything has come for it. */
	readonly hasBegun: boolean;
	/** True once the response has come: nothing more will. */
	readonly isAnswered: boolean;
	/** Adds a message; the consumer is woken by `wake`, so that one chunk makes one batch. */
	push(message: Message): void;
	wake(): void;
	/** Ends it with an error. What waits is still handed over first, unless `now`. */
	fail(reason: unknown, now?: boolean): void;
	/** Resolves to all that waits, once there is something; undefined at the end. Throws what `fail` was given. */
	take(): Promise<Message[] | undefined>;
}

export function createExchangeQueue(
	id: RequestId,
	isTimed: boolean,
): ExchangeQueue {
	let waiting: Message[] = [];
	let waitingBytes = 0;
	let hasBegun = false;
	let isAnswered = false;
	let failure: { reason: unknown } | undefined;
	let wakeConsumer: (() => void) | undefined;

	const wake = () => {
		wakeConsumer?.();
		wakeConsumer = undefined;
	};

	return {
		id,
		isTimed,
		get waitingBytes() {
			return waitingBytes;
		},
		get hasBegun() {
			return hasBegun;
		},
		get isAnswered() {
			return isAnswered;
		},
		push(message) {
			if (isAnswered || failure) return;
			hasBegun = true;
			isAnswered = message.kind === "result" || message.kind === "error";
			waiting.push(message);
			waitingBytes += message.bytes.length;
		},
		wake,
		fail(reason, now = false) {
			failure ??= { reason };
			if (now) {
				waiting = [];
				waitingBytes = 0;
			}
			wake();
		},
		async take() {
			for (;;) {
				if (waiting.length > 0) {
					const batch = waiting;
					waiting = [];
					waitingBytes = 0;
					return batch;
				}
				if (isAnswered) return undefined;
				if (failure) throw failure.reason;
				await new Promise<void>((resolve) => {
					wakeConsumer = resolve;
				});
			}
		},
	};
}
