// What a webhook subscription is remembered by between runs: its record, its secrets, and how far it was shown.
import type { Registered } from "../../state/index.ts";
import type { WebhookMemory } from "../../tail/index.ts";
import type { ShownMark } from "./shown-mark.ts";

/** Remembers in the registry. */
export function rememberIn(
	registered: Registered,
	mark: ShownMark,
	now: () => number,
): WebhookMemory {
	return {
		saveSecrets: (secrets) =>
			registered.keepSecrets(secrets.map(({ secret }) => secret.reveal())),
		async saveUrl(url) {
			if (url !== registered.record.url) await registered.update({ url });
		},
		saveGrant: ({ id, refreshBefore, cursor }) =>
			registered.update({
				id,
				refreshBefore,
				// Only the first: a later one counts once what lies before it was shown.
				cursor: registered.record.cursor ?? cursor,
				lastSeenAt: now(),
				endedAt: undefined,
			}),
		saveCursor: (cursor) => registered.update({ cursor }),
		saveEnd: () => registered.update({ endedAt: now() }),
		markShown: mark.markShown,
		markLeaving: mark.markLeaving,
	};
}

/** Remembers how far it was shown, if that: there is no subscription. */
export function rememberShown(mark: ShownMark | undefined): WebhookMemory {
	const nothing = async () => {};
	return {
		saveSecrets: nothing,
		saveUrl: nothing,
		saveGrant: nothing,
		saveCursor: nothing,
		saveEnd: nothing,
		markShown: (capture) => mark?.markShown(capture),
		markLeaving: (capture, previous) => mark?.markLeaving(capture, previous),
	};
}
