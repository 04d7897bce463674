// An event type as this server offers it: in the modes of its profile, with webhook where there are principals for it.
import type { DeliveryMode } from "../../protocol/index.ts";
import type { Settings } from "../settings.ts";
import type { SourceType } from "../source.ts";

/** Undefined where no mode is left. */
export function offeredType(
	type: SourceType,
	{ settings, hasWebhooks }: { settings: Settings; hasWebhooks: boolean },
): SourceType | undefined {
	const { descriptor, mayBeWebhook = true } = type;
	const own: readonly DeliveryMode[] = descriptor.delivery;
	const all: readonly DeliveryMode[] =
		hasWebhooks && mayBeWebhook ? [...own, "webhook"] : own;
	const delivery = all.filter((mode) => settings.profile.modes.includes(mode));
	if (delivery.length === 0) {
		settings.note(
			`${descriptor.name} is not offered: it can be had in no mode here`,
		);
		return undefined;
	}
	const isAsItIs = delivery.join() === own.join();
	return settings.flaws.type(
		isAsItIs ? type : { ...type, descriptor: { ...descriptor, delivery } },
	);
}
