// Rows of push about errors, endings, positions and headers (events.md 5 and 7).
import { type CatalogueRow, rowsOf } from "./row.ts";

export const pushEndingsRows: readonly CatalogueRow[] = rowsOf("events-push", [
	{
		id: "error-resource-exhausted",
		level: "wire",
		section: "errors",
		requirement:
			"A refusal because of a limit uses ResourceExhausted (-32025; sketch -32013) and names the limit in data.limit.",
		how: "Ask the control for a capped type, open streams on it one by one up to max+1 and grade the first refusal; without the control grade a refusal met in the concurrency probe.",
		needs: [{ kind: "control", name: "events_conformance_quota" }],
		profiles: ["final", "sketch"],
		turned: {
			sketch:
				"the codes -32011 to -32015 of the older sketch are the right ones",
		},
	},
	{
		id: "truncated-false-when-no-replay",
		level: "should",
		section: "cursors and gaps",
		requirement:
			"A push type without replay does not announce truncation, not even after a gap.",
		how: "Find a push type that confirms with a null cursor, fire the gap control there and watch 1.5 s.",
		needs: [
			{ kind: "control", name: "events_conformance_yield_gap" },
			{
				kind: "traffic",
				name: "a push type whose cursor is null",
			},
		],
		profiles: ["final", "sketch"],
	},
	{
		id: "removal-terminates-subscriptions",
		level: "should",
		section: "catalogue changes",
		requirement:
			"When an event type goes away or changes incompatibly, the server ends its live subscriptions with the signal of each mode: a terminated notification on streams, a terminated envelope on webhooks.",
		how: "Hold a stream of a spare type, and a webhook subscription where it offers webhooks; break a schema by the control and wait for terminated on both; then the same with a removal.",
		needs: [{ kind: "control", name: "events_conformance_catalog" }],
		profiles: ["final", "sketch"],
	},
	{
		id: "removal-error-not-found",
		level: "wire",
		section: "catalogue changes",
		requirement:
			"The termination of a removed type carries NotFound with data.kind set to event.",
		how: "Read params.error of the terminated frame after a removal.",
		needs: [{ kind: "control", name: "events_conformance_catalog" }],
		profiles: ["final", "sketch"],
	},
	{
		id: "removal-error-schema-changed",
		level: "wire",
		section: "catalogue changes",
		requirement:
			"The termination of a type changed in place carries Unsupported with data.feature naming inputSchema or payloadSchema and data.reason schema_changed, not Forbidden.",
		how: "Change a schema incompatibly by the control and read params.error.",
		needs: [{ kind: "control", name: "events_conformance_catalog" }],
		profiles: ["final", "sketch"],
	},
	{
		id: "removal-additive-no-terminate",
		level: "must",
		section: "catalogue changes",
		requirement: "A purely additive schema change ends no subscription.",
		how: "Add an optional field by the control, see that the descriptor has changed, and that the open stream gets no terminated and stays open.",
		needs: [{ kind: "control", name: "events_conformance_catalog" }],
		profiles: ["final", "sketch"],
	},
	{
		id: "mcp-name-missing-rejected",
		level: "must",
		section: "routing headers",
		requirement:
			"On Streamable HTTP an events/stream without an Mcp-Name header is refused with HTTP 400 and JSON-RPC -32020.",
		how: "POST a valid stream request without the header.",
		transport: "http",
		profiles: ["final"],
	},
	{
		id: "mcp-name-mismatch-rejected",
		level: "must",
		section: "routing headers",
		requirement:
			"On Streamable HTTP an events/stream whose Mcp-Name differs from params.name is refused with HTTP 400 and JSON-RPC -32020.",
		how: "POST a valid stream request with the header naming another event type.",
		transport: "http",
		profiles: ["final"],
	},
	{
		id: "result-type-complete",
		level: "must",
		section: "messages",
		requirement:
			"The closing result of a stream carries resultType with the value complete.",
		how: "Look at the final frame of a stream the server ended.",
		needs: [{ kind: "control", name: "events_conformance_terminate" }],
		profiles: ["final"],
	},
	{
		id: "wire-schema-valid",
		level: "wire",
		section: "messages",
		requirement:
			"Each frame the server sends in the push scenario is valid against the protocol schema.",
		how: "Validate all recorded frames.",
		profiles: ["final", "sketch"],
	},
	{
		id: "error-notification-shape",
		level: "wire",
		section: "errors",
		requirement:
			"The error in an error or terminated notification has an integer code, a message and, where there is data, an object.",
		how: "Check every error and terminated notification of the run.",
		needs: [
			{ kind: "control", name: "events_conformance_yield_error" },
			{ kind: "control", name: "events_conformance_terminate" },
		],
		profiles: ["final", "sketch"],
	},
	{
		id: "events-in-order",
		level: "must",
		section: "occurrences",
		requirement:
			"The events of one push subscription come in the order in which the server produced them.",
		how: "Read the same stretch by a stream as it happens and by another that begins in its middle, and compare the order.",
		needs: [{ kind: "traffic", name: "several events of a push type" }],
		profiles: ["final", "sketch"],
	},
	{
		id: "event-id-stable",
		level: "must",
		section: "occurrences",
		requirement:
			"The same event has the same eventId after a reconnect and in another mode.",
		how: "Read the same stretch by two streams, and by poll where the type offers it, and compare the ids of events with the same data.",
		needs: [{ kind: "traffic", name: "an event of a push type with replay" }],
		profiles: ["final", "sketch"],
	},
	{
		id: "resume-exactly-once",
		level: "wire",
		section: "cursors and gaps",
		requirement:
			"A stream that is opened with the cursor of event N begins with N+1, and brings each event once.",
		how: "Stop after event N, open a stream with its cursor, and compare with the whole stretch.",
		needs: [
			{ kind: "traffic", name: "several events of a push type with replay" },
		],
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-max-age-ms",
		level: "wire",
		section: "cursors and gaps",
		requirement:
			"maxAgeMs limits the replay of a stream too, and truncated on the active notification tells of what was passed over.",
		how: "Open a stream with an early cursor and maxAgeMs 200: nothing older by 1.5 s may come, and truncated tells of it.",
		needs: [{ kind: "traffic", name: "history of a push type with replay" }],
		profiles: ["final", "sketch"],
	},
	{
		id: "heartbeat-cursor-resumes",
		level: "wire",
		section: "cursors and gaps",
		requirement: "The cursor of a heartbeat can be resumed from.",
		how: "Open a stream with the cursor of a heartbeat, and require every event that another stream had behind that heartbeat.",
		profiles: ["final", "sketch"],
	},
]);
