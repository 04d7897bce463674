// Rows of poll about the request and its answer (events.md 4).
import { type CatalogueRow, rowsOf } from "./row.ts";

export const pollRequestsRows: readonly CatalogueRow[] = rowsOf("events-poll", [
	{
		id: "poll-implemented",
		level: "wire",
		section: "events/poll",
		requirement:
			"For an event type that offers poll, events/poll takes name, arguments and cursor and answers with events, cursor and nextPollMs.",
		how: "Send the first poll for the first poll-capable type with minimal arguments and cursor null.",
		profiles: ["final", "sketch"],
	},
	{
		id: "poll-one-subscription-per-request",
		level: "wire",
		section: "events/poll",
		requirement:
			"One events/poll request covers exactly one subscription, which its name member identifies.",
		how: "Send a poll without name and expect InvalidParams.",
		profiles: ["final", "sketch"],
	},
	{
		id: "poll-bootstraps-subscription",
		level: "wire",
		section: "events/poll",
		requirement:
			"The first poll with a null cursor starts the subscription; no earlier subscribe call is needed.",
		how: "The first poll is sent with no preparation at all; where it is refused, others after it tell whether it was for that.",
		profiles: ["final", "sketch"],
	},
	{
		id: "poll-events-array",
		level: "wire",
		section: "events/poll",
		requirement:
			"A poll result always has an events array, empty when nothing happened.",
		how: "Check the member on every poll result of the run.",
		profiles: ["final", "sketch"],
	},
	{
		id: "poll-response-cursor",
		level: "wire",
		section: "events/poll",
		requirement:
			"A poll result states at its top level the cursor reached after the batch.",
		how: "Follow a type: a batch with events ends with a cursor at the top level, and with another one than it began with.",
		profiles: ["final", "sketch"],
	},
	{
		id: "poll-next-poll-ms",
		level: "wire",
		isWeak: true,
		section: "events/poll",
		requirement:
			"A poll result advises the next interval in nextPollMs, a finite number of milliseconds.",
		how: "Type-check the member on every poll result, and name the older seconds spelling when that is what was sent.",
		profiles: ["final", "sketch"],
	},
	{
		id: "poll-next-poll-ms-ignored-when-has-more",
		level: "wire",
		section: "events/poll",
		requirement:
			"nextPollMs has no meaning on a response that sets hasMore to true.",
		how: "Observe a response with hasMore true and poll again at once with its cursor.",
		needs: [
			{
				kind: "traffic",
				name: "a backlog: more matching events than one batch holds",
			},
		],
		profiles: ["final", "sketch"],
	},
	{
		id: "poll-has-more",
		level: "wire",
		section: "events/poll",
		requirement:
			"hasMore tells whether further events wait behind the returned batch.",
		how: "Type-check it on every poll result of the run.",
		profiles: ["final", "sketch"],
	},
	{
		id: "poll-max-events-cap",
		level: "wire",
		section: "events/poll",
		requirement:
			"maxEvents bounds the batch; when more is available the server returns part of it, an intermediate cursor and hasMore true.",
		how: "Resume from a cursor with several events behind it, with maxEvents 1: one event, hasMore true, and the rest by the new cursor. An empty batch proves nothing.",
		profiles: ["final", "sketch"],
	},
	{
		id: "poll-stateless-request",
		level: "wire",
		section: "events/poll",
		requirement:
			"Each poll stands alone: name, arguments and cursor are enough to answer it, whatever came before.",
		how: "Poll with cursors of the server and nothing else, the first of them twice.",
		profiles: ["final", "sketch"],
	},
	{
		id: "poll-errors-are-jsonrpc",
		level: "wire",
		section: "events/poll",
		requirement:
			"A poll that cannot be served gets an ordinary JSON-RPC error, never a result with a partial failure inside.",
		how: "Poll an unknown name, and with wrong arguments, and look for an error member, and for none inside a result.",
		profiles: ["final", "sketch"],
	},
	{
		id: "poll-invalid-arguments",
		level: "wire",
		section: "events/poll",
		requirement:
			"Arguments that break the inputSchema are refused with InvalidParams (-32602).",
		how: "Break the inputSchema in one place at a time: types, enums, what is required, what is not allowed.",
		needs: [{ kind: "traffic", name: "an inputSchema that refuses something" }],
		profiles: ["final", "sketch"],
	},
	{
		id: "poll-mode-unsupported",
		level: "wire",
		section: "events/poll",
		requirement:
			"Polling an event type whose delivery list lacks poll is answered with Unsupported (-32026; sketch -32014) naming the delivery mode.",
		how: "Find a descriptor without poll and poll it with minimal arguments.",
		needs: [
			{ kind: "traffic", name: "an event type that does not offer poll" },
		],
		profiles: ["final", "sketch"],
		turned: {
			sketch:
				"the codes -32011 to -32015 of the older sketch are the right ones",
		},
	},
	{
		id: "removal-poll-not-found",
		level: "wire",
		section: "catalogue changes",
		requirement:
			"Polling a name the catalogue does not (or no longer) hold answers NotFound, since poll leaves no server-side subscription to end.",
		how: "Poll an unknown name and, where the catalogue can be changed by control, one that was removed.",
		profiles: ["final", "sketch"],
		turned: {
			sketch:
				"the codes -32011 to -32015 of the older sketch are the right ones",
		},
	},
	{
		id: "error-invalid-params",
		level: "wire",
		section: "errors",
		requirement:
			"A statically wrong request (arguments, callback URL or secret) is answered with -32602.",
		how: "Send arguments that are no object; also a cursor that is a number and maxAgeMs as a text, which a server may read past, but not fail at.",
		profiles: ["final", "sketch"],
	},
	{
		id: "mcp-name-missing-rejected",
		level: "must",
		section: "routing headers",
		requirement:
			"On Streamable HTTP an events/poll without an Mcp-Name header is refused with HTTP 400 and JSON-RPC -32020.",
		how: "Send an otherwise valid poll by hand without the header and read status and body.",
		transport: "http",
		profiles: ["final"],
	},
	{
		id: "mcp-name-mismatch-rejected",
		level: "must",
		section: "routing headers",
		requirement:
			"On Streamable HTTP an events/poll whose Mcp-Name differs from params.name is refused with HTTP 400 and JSON-RPC -32020.",
		how: "Send a valid poll with the header naming another event type.",
		transport: "http",
		profiles: ["final"],
	},
	{
		id: "result-type-complete",
		level: "must",
		section: "messages",
		requirement:
			"Every poll result carries resultType with the value complete.",
		how: "Look at resultType on the successful poll results of the run.",
		profiles: ["final"],
	},
	{
		id: "wire-schema-valid",
		level: "wire",
		section: "messages",
		requirement:
			"Each message the server sends in the poll scenario is valid against the protocol schema.",
		how: "Validate all recorded inbound messages.",
		profiles: ["final", "sketch"],
	},
	{
		id: "poll-revoked-error",
		level: "wire",
		section: "access",
		requirement:
			"A poll for a subscription whose access was taken away gets a JSON-RPC error at the next request.",
		how: "Take the access to a spare type away by the control, poll it again, and give it back.",
		needs: [{ kind: "control", name: "events_conformance_access" }],
		profiles: ["final", "sketch"],
	},
]);
