// Rows of push about the stream and its notifications (events.md 5).
import { type CatalogueRow, rowsOf } from "./row.ts";

export const pushStreamsRows: readonly CatalogueRow[] = rowsOf("events-push", [
	{
		id: "stream-implemented",
		level: "wire",
		section: "events/stream",
		requirement:
			"For an event type that offers push, events/stream is an ordinary JSON-RPC request with an id, one per subscription, answered on HTTP with an SSE stream that stays open.",
		how: "Open one with cursor null, require the content type text/event-stream over HTTP, and see that it still stands a moment after its first message.",
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-error-before-open",
		level: "wire",
		section: "events/stream",
		requirement:
			"An invalid subscription gets a JSON-RPC error at once and no stream is opened.",
		how: "Open a stream for an unknown event name and wait up to 1 s for the error.",
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-active-confirmation",
		level: "wire",
		section: "events/stream",
		requirement:
			"The first message on a good stream is notifications/events/active with the starting cursor and the truncated flag.",
		how: "Wait 3 s for it, see that no other notification of the stream came before it, and type-check both members.",
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-subscription-id-meta",
		level: "wire",
		section: "events/stream",
		requirement:
			"Every notifications/events/* message carries the id of its events/stream request in params._meta under io.modelcontextprotocol/subscriptionId.",
		how: "Compare that member, type included, with the request id on each notification of all streams, one of which was asked for under a number.",
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-event-notification",
		level: "wire",
		section: "events/stream",
		requirement:
			"An event arrives as notifications/events/event whose params are an occurrence.",
		how: "Wait 6 s for one, and check each that came: eventId, name as subscribed, instant, and data against payloadSchema.",
		needs: [
			{
				kind: "traffic",
				name: "a push type that emits while the stream is open",
			},
		],
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-error-is-recoverable",
		level: "wire",
		section: "events/stream",
		requirement:
			"notifications/events/error reports a passing problem and the subscription carries on.",
		how: "Fire the control under an open stream, wait for the error, and see that the stream stays open and that an event follows.",
		needs: [{ kind: "control", name: "events_conformance_yield_error" }],
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-terminated-ends-subscription",
		level: "wire",
		section: "events/stream",
		requirement:
			"notifications/events/terminated, and nothing else, ends a subscription, and the stream then closes.",
		how: "Open a stream on a spare push type, fire the control, and wait for the frame and then for the end of the stream, with no event between.",
		needs: [
			{ kind: "control", name: "events_conformance_terminate" },
			{
				kind: "traffic",
				name: "a push type that can be used up",
			},
		],
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-gap-resends-active",
		level: "wire",
		section: "events/stream",
		requirement:
			"A gap is reported by a new notifications/events/active with truncated true and a fresh cursor on the same stream, and delivery goes on.",
		how: "Fire the control and look for a second active with truncated true and a new cursor, and for an event after it on the same stream.",
		needs: [{ kind: "control", name: "events_conformance_yield_gap" }],
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-heartbeat-required",
		level: "must",
		section: "events/stream",
		requirement:
			"An idle push stream carries periodic keepalive notifications, so silence can be told from a dead connection.",
		how: "Watch a stream for 35 s, or until no further one could be late in that time, and count notifications/events/heartbeat.",
		needs: [{ kind: "time", name: "35 s of watching" }],
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-heartbeat-carries-cursor",
		level: "wire",
		section: "events/stream",
		requirement:
			"Each heartbeat carries the position checked so far, null when the type has no replay.",
		how: "Type-check cursor on every heartbeat; null is odd where the stream began with a position.",
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-heartbeat-interval",
		level: "should",
		section: "events/stream",
		requirement: "Heartbeats come at least every 30 seconds.",
		how: "Take the longest gap, counted from stream open to the first beat and then between beats, with 2 s of tolerance.",
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-heartbeat-not-sse-comment",
		level: "wire",
		section: "events/stream",
		requirement:
			"On HTTP the heartbeat is an SSE data frame, not a comment line, which could not carry a cursor.",
		how: "Count the lines of the watched stream that start with a colon: beside heartbeats they are odd, in place of them wrong.",
		transport: "http",
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-final-result-shape",
		level: "wire",
		section: "events/stream",
		requirement:
			"The closing response to events/stream is an empty result: only resultType and the subscription id in _meta.",
		how: "On a stream the server ended, take the frame with the request id and look for members other than _meta and resultType.",
		needs: [
			{ kind: "control", name: "events_conformance_terminate" },
			{
				kind: "feature",
				name: "a stream that the server ends",
			},
		],
		profiles: ["final", "sketch"],
		turned: { sketch: "_meta is empty or absent" },
	},
	{
		id: "stream-final-result-timing",
		level: "wire",
		section: "events/stream",
		requirement:
			"The closing result is written when the server itself ends the stream on HTTP, and never after a client abort.",
		how: "End a spare type by the control, and require one closing result, behind terminated and as the last message of the body.",
		needs: [{ kind: "control", name: "events_conformance_terminate" }],
		transport: "http",
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-cancel-stops-delivery",
		level: "must",
		section: "events/stream",
		requirement:
			"After cancellation (request abort on HTTP, notifications/cancelled on stdio) the server stops delivering and frees what the stream held.",
		how: "On stdio watch stdout after the cancel; on HTTP cancel one stream of a capped type and open another in its place.",
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-exempt-from-concurrency-cap",
		level: "must",
		section: "events/stream",
		requirement:
			"Long-lived event streams do not count against a general limit on simultaneous requests.",
		how: "Hold three streams of one type open together, require an active on each, and have another request answered beside them.",
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-carries-only-event-notifications",
		level: "wire",
		section: "events/stream",
		requirement:
			"The response stream holds only this subscription's notifications/events/* messages.",
		how: "Look at each message on every stream: a notification of events, or the response to its own request.",
		transport: "http",
		profiles: ["final", "sketch"],
	},
	{
		id: "stream-mode-unsupported",
		level: "wire",
		section: "events/stream",
		requirement:
			"Opening a stream on a type whose delivery list lacks push is answered with Unsupported.",
		how: "Find a descriptor without push and ask for a stream of it.",
		needs: [
			{ kind: "traffic", name: "an event type that does not offer push" },
		],
		profiles: ["final", "sketch"],
	},
	{
		id: "stdio-streams",
		level: "must",
		section: "stdio",
		requirement:
			"On stdio several streams share stdout, each told apart by its subscription id; after a cancel nothing more comes for that id, no error either.",
		how: "Open two streams, cancel one, and watch stdout.",
		transport: "stdio",
		profiles: ["final", "sketch"],
	},
]);
