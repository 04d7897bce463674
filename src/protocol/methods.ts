// The words of the wire: methods, notifications, keys, headers and revisions (base.md; events.md 1 to 7).

export const EXTENSION_ID = "io.modelcontextprotocol/events";
/** The revision of the contract that this product follows; printed by --version --verbose. */
export const CONTRACT_PIN = "SEP-3415, October 2026 draft with later changes";

export const MODERN_VERSION = "2026-07-28";
/** Revisions spoken with `initialize`, newest first. */
export const LEGACY_VERSIONS = [
	"2025-11-25",
	"2025-06-18",
	"2025-03-26",
] as const;

export const METHODS = {
	discover: "server/discover",
	initialize: "initialize",
	ping: "ping",
	list: "events/list",
	poll: "events/poll",
	stream: "events/stream",
	subscribe: "events/subscribe",
	unsubscribe: "events/unsubscribe",
	listen: "subscriptions/listen",
	listTools: "tools/list",
	callTool: "tools/call",
} as const;

export const NOTIFICATIONS = {
	initialized: "notifications/initialized",
	cancelled: "notifications/cancelled",
	acknowledged: "notifications/subscriptions/acknowledged",
	active: "notifications/events/active",
	event: "notifications/events/event",
	heartbeat: "notifications/events/heartbeat",
	error: "notifications/events/error",
	terminated: "notifications/events/terminated",
	listChanged: "notifications/events/list_changed",
} as const;

export const META = {
	protocolVersion: "io.modelcontextprotocol/protocolVersion",
	clientInfo: "io.modelcontextprotocol/clientInfo",
	clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
	serverInfo: "io.modelcontextprotocol/serverInfo",
	subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const;

/** Header names in the lower case in which Node and HTTP/2 write them. */
export const HEADERS = {
	protocolVersion: "mcp-protocol-version",
	method: "mcp-method",
	name: "mcp-name",
	sessionId: "mcp-session-id",
} as const;

/** Methods whose `params.name` travels in `Mcp-Name` too (events.md 1). */
export const NAMED_METHODS: ReadonlySet<string> = new Set([
	METHODS.poll,
	METHODS.stream,
	METHODS.subscribe,
	METHODS.unsubscribe,
	METHODS.callTool,
]);

export type DeliveryMode = "poll" | "push" | "webhook";
export const DELIVERY_MODES: readonly DeliveryMode[] = [
	"poll",
	"push",
	"webhook",
];

export const POLL_FLOOR_MS = 1_000;
export const MESSAGE_LIMIT_BYTES = 16 * 1024 * 1024;
