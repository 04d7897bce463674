// What one exchange has received and its consumer has not yet asked for.
import type { Message, RequestId } from "../../protocol/index.ts";
import type { Share } from "./backlog.ts";

export interface ExchangeQueue {
	readonly id: RequestId;
	/** True where one answer is waited for, within a time; false for a stream. */
	readonly isTimed: boolean;
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

export interface QueueOptions {
	id: RequestId;
	isTimed: boolean;
	/** Told of what waits here. */
	share: Share;
}

export function createExchangeQueue({
	id,
	isTimed,
	share,
}: QueueOptions): ExchangeQueue {
	let waiting: Message[] = [];
	let hasBegun = false;
	let isAnswered = false;
	let failure: { reason: unknown } | undefined;
	let wakeConsumer: (() => void) | undefined;

	const wake = () => {
		wakeConsumer?.();
		wakeConsumer = undefined;
	};
	const takeAll = () => {
		const batch = waiting;
		waiting = [];
		share.setBytes(0);
		return batch;
	};
	share.await();

	return {
		id,
		isTimed,
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
			share.setBytes(share.bytes + message.bytes.length);
			if (isAnswered || !isTimed) share.answered();
		},
		wake,
		fail(reason, now = false) {
			failure ??= { reason };
			if (now) takeAll();
			wake();
		},
		async take() {
			for (;;) {
				if (waiting.length > 0) return takeAll();
				if (isAnswered) return undefined;
				if (failure) throw failure.reason;
				await new Promise<void>((resolve) => {
					wakeConsumer = resolve;
				});
			}
		},
	};
}
