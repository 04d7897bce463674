// Flaws of the first scenario: what a server says of itself, its catalogue, and the errors of both.

import {
	EXTENSION_ID,
	HEADERS,
	META,
	METHODS,
	NOTIFICATIONS,
} from "../../protocol/index.ts";
import { ADDED_FIELD } from "../controls/change-type.ts";
import { type Flaw, NOTHING } from "./flaw.ts";
import { flawOf } from "./flaw-of.ts";
import {
	codeLike,
	onCapability,
	onDescriptors,
	onDiscovery,
	onError,
	onNotification,
	onResult,
	refuse,
} from "./hooks.ts";

/** A flaw of this scenario. */
const flaw = flawOf("events-discovery");

export const DISCOVERY: readonly Flaw[] = [
	flaw(
		"capability-true",
		"capability-events-object",
		"declares the extension as true in place of an object",
		onCapability(() => true),
	),
	flaw(
		"list-changed-as-text",
		"capability-list-changed-flag",
		'declares listChanged as "yes"',
		onCapability((settings) => {
			settings.listChanged = "yes";
		}),
	),
	flaw(
		"declares-and-lacks",
		"capability-empty-settings",
		"declares the extension with {} and knows none of its methods",
		{
			...onCapability(() => ({})),
			request(message, headers) {
				if (!message.method.startsWith("events/")) return;
				message.method = "none";
				// Else it would be the header that is refused.
				if (HEADERS.method in headers) headers[HEADERS.method] = "none";
			},
		},
	),
	flaw(
		"notices-undeclared",
		"capability-list-changed-gated",
		"acknowledges eventsListChanged without having declared listChanged",
		{
			message(message, about) {
				if (message.method === NOTIFICATIONS.acknowledged)
					message.params.notifications.eventsListChanged = true;
				onCapability((settings) => {
					delete settings.listChanged;
				}).message?.(message, about);
			},
		},
	),
	flaw(
		"demands-declaration",
		"capability-client-declaration",
		"refuses clients that do not name the extension in their capabilities",
		refuse(
			({ method, params }) =>
				method.startsWith("events/") && !declaresEvents(params),
			{
				code: -32021,
				message: "the client lacks a capability",
				data: { requiredCapabilities: { extensions: { [EXTENSION_ID]: {} } } },
			},
		),
	),
	flaw(
		"undeclared-internal-error",
		"fallback-method-not-found",
		"declares no extension and answers its methods with an internal error",
		{
			message(message, about) {
				onDiscovery(({ capabilities }) => {
					delete capabilities.extensions;
					delete capabilities.events;
				}).message?.(message, about);
				refuse(({ method }) => method.startsWith("events/"), {
					code: -32603,
					message: "the server failed",
				}).message?.(message, about);
			},
		},
	),
	flaw(
		"catalogue-by-name",
		"list-implemented",
		"lists event types as an object of names in place of an array",
		onResult(METHODS.list, (result) => {
			result.events = Object.fromEntries(
				result.events.map((type: { name: string }) => [type.name, type]),
			);
		}),
	),
	flaw(
		"endless-pages",
		"list-pagination",
		"names the first page of the catalogue as the next one of every page",
		onResult(METHODS.list, (result) => {
			result.nextCursor = "page-0";
		}),
	),
	flaw(
		"nameless-type",
		"descriptor-name",
		"lists its last event type without a name",
		onResult(METHODS.list, ({ events }) => {
			delete events.at(-1)?.name;
		}),
	),
	flaw(
		"no-descriptions",
		"descriptor-description",
		"lists event types without descriptions",
		onDescriptors((descriptor) => {
			delete descriptor.description;
		}),
	),
	flaw(
		"mode-listed-twice",
		"descriptor-delivery-subset",
		"lists the first delivery mode of each event type twice",
		onDescriptors(({ delivery }) => delivery.push(delivery[0])),
	),
	flaw(
		"no-input-schema",
		"descriptor-input-schema",
		"lists event types without inputSchema",
		onDescriptors((descriptor) => {
			delete descriptor.inputSchema;
		}),
	),
	flaw(
		"payload-schema-as-text",
		"descriptor-payload-schema",
		"lists payloadSchema as JSON text in place of an object",
		onDescriptors((descriptor) => {
			descriptor.payloadSchema = JSON.stringify(descriptor.payloadSchema);
		}),
	),
	flaw(
		"descriptor-meta-list",
		"descriptor-meta",
		"lists event types with a _meta that is an array",
		onDescriptors((descriptor) => {
			descriptor._meta = [];
		}),
	),
	flaw(
		"narrowing-change",
		"schema-evolution-additive",
		"drops the other fields of a payloadSchema when one is added",
		onDescriptors(({ payloadSchema }) => {
			const added = payloadSchema.properties?.[ADDED_FIELD];
			if (added) payloadSchema.properties = { [ADDED_FIELD]: added };
		}),
	),
	flaw(
		"no-overlap",
		"breaking-change-new-name",
		"withdraws an event type as soon as another of its name and a suffix is added",
		onResult(METHODS.list, (result) => {
			const names = result.events.map((type: { name: string }) => type.name);
			result.events = result.events.filter(
				(type: { name: string }) =>
					!names.some((name: string) => name.startsWith(`${type.name}.`)),
			);
		}),
	),
	flaw(
		"silent-changes",
		"list-changed-notification",
		"declares listChanged and never tells of a change",
		onNotification(NOTIFICATIONS.listChanged, () => NOTHING),
	),
	flaw(
		"unknown-name-unsupported",
		"error-not-found",
		"answers an unknown event type with Unsupported",
		onError("NotFound", (error) => {
			error.code = codeLike(error.code, "Unsupported");
		}),
	),
	flaw(
		"error-code-404",
		"error-server-range",
		"numbers NotFound 404",
		onError("NotFound", (error) => {
			error.code = 404;
		}),
	),
	flaw(
		"no-result-type-in-list",
		"result-type-complete",
		"leaves resultType out of events/list results",
		onResult(METHODS.list, (result) => {
			delete result.resultType;
		}),
	),
	flaw(
		"versions-as-text",
		"wire-schema-valid",
		"tells its supported revisions as one text in place of an array",
		onDiscovery((result) => {
			if (result.supportedVersions)
				result.supportedVersions = result.supportedVersions.join(" ");
		}),
	),
];

function declaresEvents(params: Record<string, unknown>): boolean {
	const meta = Object(params._meta);
	const capabilities = Object(meta[META.clientCapabilities]);
	return EXTENSION_ID in Object(capabilities.extensions);
}
