// One event about which the modes do not agree.
import type { DeliveryMode } from "../../protocol/index.ts";

export interface Disagreement {
	eventId: string;
	/** Those that are told of: that leave it out, bring it alone, bring it otherwise, or late. */
	modes: readonly DeliveryMode[];
	/** What differs. */
	member?: string;
	/** Behind the mode that brought it first. */
	laterMs?: number;
}
