// Rows of --modes-agree: the same subscription by every mode at once (events.md 3: an eventId is stable over modes).
import { type CatalogueRow, MODES_SCENARIO, rowsOf } from "./row.ts";

const TRAFFIC = {
	kind: "traffic",
	name: "events of a type that offers two modes, while it is followed",
} as const;

const CALLBACK = {
	kind: "flag",
	name: "--public-url URL or --tunnel, for webhook to be one of the modes",
} as const;

export const modesRows: readonly CatalogueRow[] = rowsOf(MODES_SCENARIO, [
	{
		id: "modes-none-missing",
		level: "must",
		section: "occurrences",
		requirement:
			"What happens is brought by every mode that a type offers, under one eventId: none leaves an event out without a word.",
		how: "Follow one type with the same arguments by poll, push and webhook from one position, until 20 events have come or 10 s have passed; give the modes 20 s more to bring what one of them has brought, and join all by eventId. With two modes, what one brings alone is missing in the other; with three, what two bring is missing in the third.",
		needs: [TRAFFIC, CALLBACK],
	},
	{
		id: "modes-none-extra",
		level: "must",
		section: "occurrences",
		requirement: "No mode brings an event that the others know nothing of.",
		how: "Of the same window: an eventId that one of three modes brought alone. Two modes cannot tell it from an event that the other left out.",
		needs: [TRAFFIC, CALLBACK],
	},
	{
		id: "modes-same-occurrence",
		level: "must",
		section: "occurrences",
		requirement:
			"An event is the same by every mode and each time it comes: its name, timestamp and data, and every other member but cursor and _meta.",
		how: "Of the same window: compare each member of what came under one eventId; timestamps as instants, the rest as JSON values with numbers as doubles, so that neither the order of keys nor the spelling of numbers counts.",
		needs: [TRAFFIC, CALLBACK],
	},
	{
		id: "modes-none-late",
		level: "may",
		section: "occurrences",
		requirement:
			"No mode brings an event much later than another; the contract leaves the time to the server, so that this is a remark.",
		how: "Of the same window: the time between the first arrival of an event and its arrival by each other mode; remarked upon where it is over 5 s.",
		needs: [TRAFFIC, CALLBACK],
	},
]);
