// What webhook delivery is told by the core: the types and rules that it shares with poll and push.
import type { Settings, WebhookParts } from "../settings.ts";
import type { Catalogue } from "./catalogue.ts";

export function webhookParts(
	settings: Settings,
	catalogue: Catalogue,
): WebhookParts {
	const { profile } = settings;
	return {
		clock: settings.clock,
		note: settings.note,
		numbers: settings.numbers,
		findType: (name) => catalogue.find(name),
		quotaOf: (name) => catalogue.find(name)?.limits?.subscriptions,
		mayHave(principal, name, args) {
			const may = settings.access.mayHave(principal, name, args);
			if (may) settings.flaws.admitted(principal, name);
			return may;
		},
		...(settings.flaws.manners && { manners: settings.flaws.manners }),
		messageIds: profile.webhookId,
		unknownUnsubscribe: profile.unsubscribeOfNothing,
		sendsEnvelopes: profile.sendsEnvelopes,
	};
}
