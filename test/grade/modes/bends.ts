// Servers whose modes disagree in one event.
import { METHODS, NOTIFICATIONS } from "../../../src/protocol/index.ts";
import { type Hooks, NOTHING } from "../../../src/reference/flaws/flaw.ts";
import {
	onNotification,
	onResult,
	resign,
} from "../../../src/reference/flaws/hooks.ts";

/** True of the fifth event that a mode brings, and of that one alone. */
function fifth(): (event: { eventId: string }) => boolean {
	const ids = new Set<string>();
	return ({ eventId }) => {
		ids.add(eventId);
		return [...ids][4] === eventId;
	};
}

/** Loses the fifth event by push. */
export const losing = (): Hooks => {
	const isFifth = fifth();
	return onNotification(NOTIFICATIONS.event, (params) =>
		isFifth(params) ? NOTHING : undefined,
	);
};

/** Delivers another body of it by webhook. */
export const altering = (): Hooks => {
	const isFifth = fifth();
	return {
		delivery(delivery) {
			const event = JSON.parse(delivery.body);
			if (event.eventId === undefined || !isFifth(event)) return;
			event.data.text = "another";
			delivery.body = JSON.stringify(event);
			resign(delivery);
		},
	};
};

/** Brings one too much by poll. */
export const inventing = (): Hooks => {
	let left = 1;
	return onResult(METHODS.poll, ({ events }) => {
		if (events.length === 0 || left-- < 1) return;
		events.push({ ...events[0], eventId: "made-up" });
	});
};
