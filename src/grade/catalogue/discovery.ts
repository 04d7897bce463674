// Rows of discovery: capability, events/list, descriptors, list-change notices (events.md 1 and 2).
import { type CatalogueRow, rowsOf } from "./row.ts";

export const discoveryRows: readonly CatalogueRow[] = rowsOf(
	"events-discovery",
	[
		{
			id: "capability-events-object",
			level: "wire",
			section: "capability",
			requirement:
				"A server that offers Events says so with a settings object under the key io.modelcontextprotocol/events in the extensions map of its capabilities.",
			how: 'Read the capabilities from server/discover, look only inside extensions, and keep "key missing" apart from "key present with the wrong type".',
			turned: {
				chatgpt:
					"the settings object stands at capabilities.events; the extensions map may have it too",
				sketch: "the settings object stands at capabilities.events",
			},
		},
		{
			id: "capability-list-changed-flag",
			level: "wire",
			section: "capability",
			requirement:
				"When the settings object has a listChanged member, it is a boolean that tells whether catalogue-change notifications are sent.",
			how: "Type-check the member in the declared settings object.",
		},
		{
			id: "capability-empty-settings",
			level: "wire",
			section: "capability",
			requirement:
				"An empty settings object is a complete declaration: events are supported and no catalogue-change notification is promised.",
			how: "If the declared object has no keys, accept it and let list-implemented prove that the catalogue is really served.",
		},
		{
			id: "capability-list-changed-gated",
			level: "wire",
			section: "capability",
			requirement:
				"Only a server that declared listChanged true sends catalogue-change notifications; any other leaves eventsListChanged out of the listen filter it acknowledges.",
			how: "Open subscriptions/listen asking for eventsListChanged, read notifications/subscriptions/acknowledged, then change the catalogue and watch the stream stay silent.",
			needs: [
				{ kind: "control", name: "events_conformance_catalog" },
				{
					kind: "feature",
					name: "a server that does not declare listChanged true",
				},
			],
			profiles: ["final", "sketch"],
		},
		{
			id: "capability-client-declaration",
			level: "may",
			section: "capability",
			requirement:
				"A client may name the extension, with an empty object, in the capabilities it sends with each request.",
			how: "Send events/list with and without the declaration and compare the answers: a server does not demand it.",
		},
		{
			id: "fallback-method-not-found",
			level: "wire",
			section: "capability",
			requirement:
				"A server that does not offer the extension answers every events/* request with the JSON-RPC method-not-found code -32601.",
			how: "When nothing is declared, call events/list and read the error code; this is the only run in which the rule can be met.",
		},
		{
			id: "list-implemented",
			level: "wire",
			section: "events/list",
			requirement:
				"events/list answers with an events array that has one descriptor per event type.",
			how: "Call events/list without a cursor and look at the events member of the result.",
		},
		{
			id: "list-pagination",
			level: "wire",
			section: "events/list",
			requirement:
				"events/list pages in the same way as tools/list: nextCursor is there while more pages remain, and sending it back yields the following page.",
			how: "Take nextCursor from page one, send it as cursor, and check that another page comes with other types, without an endless loop. An empty string is a cursor.",
			needs: [{ kind: "traffic", name: "a catalogue larger than one page" }],
		},
		{
			id: "descriptor-name",
			level: "wire",
			section: "events/list",
			requirement:
				"Every descriptor has a non-empty string name that identifies the event type.",
			how: "Walk all pages (at most 20) and report the first offender under one id, so the row count does not depend on the size of the catalogue.",
		},
		{
			id: "descriptor-description",
			level: "wire",
			isWeak: true,
			section: "events/list",
			requirement:
				"Every descriptor says in a description when its event fires.",
			how: "Check for a non-empty string on each descriptor.",
		},
		{
			id: "descriptor-delivery-subset",
			level: "wire",
			section: "events/list",
			requirement:
				"delivery is a non-empty set drawn only from poll, push and webhook, and no single mode is compulsory.",
			how: "Check array type, non-emptiness, membership and absence of duplicates on each descriptor.",
		},
		{
			id: "descriptor-input-schema",
			level: "wire",
			section: "events/list",
			requirement:
				"Every descriptor carries an inputSchema object, a JSON Schema for subscription arguments.",
			how: "Check that it is a JSON object, and use it as JSON Schema: in a dialect that is known, within bounds, without references to the network.",
		},
		{
			id: "descriptor-payload-schema",
			level: "wire",
			section: "events/list",
			requirement:
				"Every descriptor carries a payloadSchema object, a JSON Schema for the data member of its occurrences.",
			how: "Check that it is a JSON object, and use it as JSON Schema: in a dialect that is known, within bounds, without references to the network.",
		},
		{
			id: "descriptor-meta",
			level: "wire",
			isWeak: true,
			section: "events/list",
			requirement:
				"_meta on a descriptor is optional and, when present, is an object as on tools, resources and prompts.",
			how: "Type-check when present.",
		},
		{
			id: "schema-evolution-additive",
			level: "should",
			section: "catalogue changes",
			requirement:
				"While an event type keeps its name, its two schemas only grow: no field is dropped, renamed or retyped, no enum shrinks, and arguments accepted before stay valid.",
			how: "List, change a descriptor by the control, list again, and diff the two schemas structurally.",
			needs: [
				{ kind: "control", name: "events_conformance_catalog" },
				{
					kind: "feature",
					name: "a descriptor that changes in mid-run",
				},
			],
		},
		{
			id: "breaking-change-new-name",
			level: "should",
			section: "catalogue changes",
			requirement:
				"A breaking change appears under a new event name that lives beside the old one for a while, and only then is the old name withdrawn.",
			how: "Add a new version of a type under a name of its own by the control, and see both names in events/list.",
			needs: [{ kind: "control", name: "events_conformance_catalog" }],
		},
		{
			id: "list-changed-notification",
			level: "wire",
			section: "subscriptions/listen",
			requirement:
				"A server that declared listChanged true reports any change of the set of event types or of a descriptor with notifications/events/list_changed.",
			how: "Open subscriptions/listen with eventsListChanged true, wait for the acknowledgement to echo it, change the catalogue, and expect the notification on that stream.",
			needs: [
				{ kind: "control", name: "events_conformance_catalog" },
				{
					kind: "feature",
					name: "a server that declares listChanged true",
				},
			],
			profiles: ["final", "sketch"],
			turned: {
				sketch:
					"the notice comes on the ordinary channel: the GET stream, or stdout",
			},
		},
		{
			id: "error-not-found",
			level: "wire",
			section: "errors",
			requirement:
				"A request that names an event type the server does not have is answered with NotFound (-32023; -32011 in the sketch).",
			how: "Poll a randomly named event type with empty arguments and a null cursor; poll is used because it leaves nothing behind.",
			turned: {
				sketch:
					"the codes -32011 to -32015 of the older sketch are the right ones",
			},
		},
		{
			id: "error-server-range",
			level: "wire",
			section: "errors",
			requirement:
				"The extension's own error codes lie in the JSON-RPC implementation-defined range -32099 to -32000.",
			how: "Check the code of the unknown-name answer against the range.",
		},
		{
			id: "result-type-complete",
			level: "must",
			section: "messages",
			requirement:
				"Every result of an events/* method carries resultType with the value complete.",
			how: "Look at resultType on each successful events/list result seen in the run.",
			profiles: ["final"],
		},
		{
			id: "wire-schema-valid",
			level: "wire",
			section: "messages",
			requirement:
				"Each message the server sends in the scenario is valid against the protocol schema, extension messages included.",
			how: "Record every inbound message and validate envelope, params and result with the JSON Schema of the protocol revision; report one row per scenario.",
		},
		{
			id: "listen-acknowledges-list-changed",
			level: "wire",
			section: "subscriptions/listen",
			requirement:
				"A server that declared listChanged true echoes eventsListChanged in the filter that it acknowledges.",
			how: "Open subscriptions/listen asking for eventsListChanged and read the acknowledgement, which comes first.",
			profiles: ["final"],
		},
	],
);
