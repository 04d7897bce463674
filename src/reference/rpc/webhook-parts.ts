// What webhook delivery is told by the core: the types and rules that it shares with poll and push.
import type { Settings, WebhookParts } from "../settings.ts";
import type { Catalogue } from "./catalogue.ts";
import { readSubscription } from "./subscription.ts";

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
		mayHave: settings.access.mayHave,
		readRequest: (params, principal) =>
			readSubscription(params, "webhook", { settings, catalogue, principal }),
		...(settings.flaws.manners && { manners: settings.flaws.manners }),
		messageIds: profile.webhookId,
		unknownUnsubscribe: profile.unsubscribeOfNothing,
		sendsEnvelopes: profile.sendsEnvelopes,
	};
}
