// One receiver for many subscriptions, each with an intake of its own: deliveries go to theirs, by its label.
import { Fault } from "../../faults/index.ts";
import type { Intake } from "../../tail/index.ts";
import type { JoinedIntake } from "../listen/receiver.ts";

/** Looks into `intakes` each time. A subscription that is not there has no reader: its sender is to try again. */
export function sortToIntakes(
	intakes: ReadonlyMap<string, Intake>,
): JoinedIntake {
	const anyOne = () => intakes.values().next().value;
	return {
		isRepeat: (delivery) =>
			intakes.get(delivery.subscription)?.isRepeat(delivery) ?? false,
		requireRoom(delivery) {
			const intake = intakes.get(delivery.subscription);
			if (!intake)
				throw new Fault("rate-limited", {
					what: "nobody takes deliveries of this subscription now",
				});
			intake.requireRoom(delivery);
		},
		notKept: (delivery) =>
			intakes.get(delivery.subscription)?.notKept(delivery),
		kept: (delivery, capture) =>
			intakes.get(delivery.subscription)?.kept(delivery, capture),
		refused(refused, capture) {
			const [label = ""] = refused.candidates;
			(intakes.get(label) ?? anyOne())?.refused(refused, capture);
		},
		notice: (notice) => anyOne()?.notice(notice),
		get isCrowded() {
			return [...intakes.values()].some((intake) => intake.isCrowded);
		},
		put: (items) => anyOne()?.put(items),
	};
}
