// Rows of poll about occurrences, cursors and gaps (events.md 3 and 7).
import { type CatalogueRow, rowsOf } from "./row.ts";

export const pollPositionsRows: readonly CatalogueRow[] = rowsOf(
	"events-poll",
	[
		{
			id: "occurrence-event-id",
			level: "wire",
			section: "occurrences",
			requirement:
				"Each occurrence has a non-empty string eventId that stays the same for the same event, so receivers can discard repeats.",
			how: "Follow the first cursors of the poll types until one has brought events (6 s at most), then check each entry.",
			needs: [
				{
					kind: "traffic",
					name: "a poll-capable type that emits within about 6 s",
				},
			],
			profiles: ["final", "sketch"],
		},
		{
			id: "occurrence-name",
			level: "wire",
			section: "occurrences",
			requirement: "Each occurrence repeats the event type's name.",
			how: "Compare name with the name of the polled descriptor.",
			profiles: ["final", "sketch"],
		},
		{
			id: "occurrence-timestamp",
			level: "wire",
			section: "occurrences",
			requirement:
				"Each occurrence has an ISO 8601 instant, with date and time, that says when it happened.",
			how: "Parse it and require the date-T-time form.",
			profiles: ["final", "sketch"],
		},
		{
			id: "occurrence-data",
			level: "wire",
			section: "occurrences",
			requirement:
				"Each occurrence has a data object that fits the payloadSchema of its type.",
			how: "Check that data is an object, and validate it against the payloadSchema of its type.",
			profiles: ["final", "sketch"],
		},
		{
			id: "occurrence-cursor-optional",
			level: "wire",
			section: "occurrences",
			requirement:
				"cursor on an occurrence is optional, and for poll the position belongs to the response instead.",
			how: "Accept string, null or absence.",
			profiles: ["final", "sketch"],
		},
		{
			id: "occurrence-meta-ungoverned",
			level: "wire",
			isWeak: true,
			section: "occurrences",
			requirement:
				"_meta on an occurrence is room for protocol metadata and lies outside payloadSchema.",
			how: "Type-check when present.",
			profiles: ["final", "sketch"],
		},
		{
			id: "occurrence-event-id-from-upstream",
			level: "should",
			section: "occurrences",
			requirement:
				"When the source has its own stable identifier, the server uses it as eventId, so one event seen by two routes carries one id.",
			how: "Require distinct ids within a batch; compare the ids with those that another mode brings for the same events.",
			profiles: ["final", "sketch"],
		},
		{
			id: "cursor-opaque",
			level: "wire",
			section: "cursors and gaps",
			requirement:
				"A cursor is an opaque string made by the server (or null when there is no replay).",
			how: "Type-check the cursor of every poll result, and never interpret it.",
			profiles: ["final", "sketch"],
		},
		{
			id: "cursor-null-starts-from-now",
			level: "wire",
			section: "cursors and gaps",
			requirement:
				"A null cursor means start at the present moment: the answer holds a fresh position and no past events.",
			how: "See that there is history by polling from an earlier cursor, then poll with null: no events. Without history it proves nothing.",
			needs: [
				{
					kind: "traffic",
					name: "a poll type with history",
				},
			],
			profiles: ["final", "sketch"],
		},
		{
			id: "cursor-absent-equals-null",
			level: "must",
			section: "cursors and gaps",
			requirement:
				"Leaving cursor out is exactly the same as sending null, in both directions, and must not make the receiver fail.",
			how: "Poll without the member.",
			profiles: ["final", "sketch"],
		},
		{
			id: "cursor-consistency",
			level: "should",
			section: "cursors and gaps",
			requirement:
				"An event type either always has a cursor or always has null.",
			how: "Compare all answers of one type to polls that start from now.",
			profiles: ["final", "sketch"],
		},
		{
			id: "cursor-advances-when-quiet",
			level: "wire",
			section: "cursors and gaps",
			requirement:
				"A quiet poll still reports a position, so the saved cursor of the client does not age out of retention.",
			how: "Poll where nothing has happened since: a type that replays has a string cursor in each such answer.",
			profiles: ["final", "sketch"],
		},
		{
			id: "max-age-ms-floor",
			level: "wire",
			section: "cursors and gaps",
			requirement:
				"maxAgeMs limits replay: delivery starts at the later of the given cursor and now minus maxAgeMs.",
			how: "Keep a cursor, let events come, wait, and poll with a small maxAgeMs: the old ones are left out, the young ones come.",
			profiles: ["final", "sketch"],
		},
		{
			id: "max-age-ms-sets-truncated",
			level: "should",
			section: "cursors and gaps",
			requirement:
				"When the age floor skips past the supplied cursor, the first response says truncated true.",
			how: "Keep a cursor, let events come, and poll from it with a maxAgeMs that some of them have passed.",
			needs: [
				{
					kind: "traffic",
					name: "a poll type with history, and a cursor kept long enough",
				},
			],
			profiles: ["final", "sketch"],
		},
		{
			id: "max-age-ms-ignored-when-cursor-null",
			level: "wire",
			section: "cursors and gaps",
			requirement:
				"maxAgeMs has no effect together with a null cursor or on a type without replay.",
			how: "With history behind it, poll with a null cursor and maxAgeMs 300000: no events.",
			profiles: ["final", "sketch"],
		},
		{
			id: "replay-ceiling-sets-truncated",
			level: "must",
			section: "cursors and gaps",
			requirement:
				"A server that applies its own replay limit reports it with truncated true.",
			how: "Ask again and again for the first event of each type, until one has forgotten it: truncated must tell.",
			needs: [{ kind: "traffic", name: "a poll type that keeps few events" }],
			profiles: ["final", "sketch"],
		},
		{
			id: "truncated-returns-fresh-cursor",
			level: "wire",
			section: "cursors and gaps",
			requirement:
				"Whenever truncated is true the same response brings a usable new cursor and service goes on.",
			how: "On any response with truncated true require a non-null string cursor, then poll with it.",
			needs: [
				{
					kind: "traffic",
					name: "a cursor that is older than what the server keeps",
				},
			],
			profiles: ["final", "sketch"],
		},
		{
			id: "truncated-poll-never-an-error",
			level: "wire",
			section: "cursors and gaps",
			requirement:
				"A gap found by poll is a member of the result, never a JSON-RPC error.",
			how: "Lose events by the control and skip some by maxAgeMs: a result with truncated, each time a boolean.",
			profiles: ["final", "sketch"],
		},
		{
			id: "truncated-false-when-no-replay",
			level: "should",
			section: "cursors and gaps",
			requirement:
				"An event type without replay does not claim truncation, because there is no position to move past.",
			how: "If the bootstrap cursor was null, the maxAgeMs poll must not say truncated true.",
			needs: [{ kind: "traffic", name: "a poll type whose cursor is null" }],
			profiles: ["final", "sketch"],
		},
		{
			id: "events-in-order",
			level: "must",
			section: "occurrences",
			requirement:
				"The events of one poll subscription come in the order in which the server produced them.",
			how: "Read the same stretch twice, in small and in large batches, and compare the order.",
			needs: [{ kind: "traffic", name: "several events of a poll type" }],
			profiles: ["final", "sketch"],
		},
		{
			id: "event-id-stable",
			level: "must",
			section: "occurrences",
			requirement: "The same event has the same eventId whenever it is polled.",
			how: "Poll the same stretch twice from one cursor and compare.",
			needs: [{ kind: "traffic", name: "an event of a poll type with replay" }],
			profiles: ["final", "sketch"],
		},
		{
			id: "resume-exactly-once",
			level: "wire",
			section: "cursors and gaps",
			requirement:
				"Whoever goes on from the cursor after event N gets N+1 and the rest, each once.",
			how: "Stop after event N, poll from its cursor, and compare with the whole stretch.",
			needs: [
				{ kind: "traffic", name: "several events of a poll type with replay" },
			],
			profiles: ["final", "sketch"],
		},
		{
			id: "cursor-unservable-is-gap",
			level: "wire",
			section: "cursors and gaps",
			requirement:
				"A cursor that cannot be served is a gap, told by truncated; it neither breaks the server nor starts anew in silence.",
			how: "Poll with cursors that the server did not make: refused as InvalidParams or answered with truncated true.",
			profiles: ["final", "sketch"],
		},
	],
);
