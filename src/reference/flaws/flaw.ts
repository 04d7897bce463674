// What a flaw is: one thing that the server does wrong on purpose (`--fault NAME[=VALUE]`). The code that answers stays
// honest: a flaw is a record in a table, and hooks that change what passes the few seams between it and the wire.
import type { IncomingHttpHeaders } from "node:http";
import type { Access } from "../access.ts";
import type { HandshakeManners } from "../callbacks/index.ts";
import type { RpcRequest } from "../rpc/core.ts";
import type { Era } from "../rpc/envelope.ts";
import type { SourceType } from "../source.ts";
import type { DeliveryManners, OutgoingDelivery } from "../webhooks/index.ts";

/** JSON-RPC messages are bent by path, whatever is in them. */
// biome-ignore lint/suspicious/noExplicitAny: a flaw reaches into any message, and a test sees what came of it
export type Json = any;

/** What a message answers or belongs to. */
export interface About {
	era: Era;
	/** The request's; that of a refused delivery or an unreadable request is "". */
	method: string;
	params: Record<string, unknown>;
	/** One object for each request or stream, to remember things by. */
	scope: object;
}

/** In place of a message: nothing at all… */
export const NOTHING = Symbol("nothing");
/** …or the connection breaks off here. */
export const CUT = Symbol("cut");

/** A message to write in its place, or text that may be no JSON, or several; undefined leaves it as it was bent. */
export type Replacement =
	| undefined
	| Record<string, unknown>
	| string
	| typeof NOTHING
	| typeof CUT
	| readonly (Record<string, unknown> | string | typeof CUT)[];

/** An HTTP answer before it is written; a hook changes its members. */
export interface HttpReply {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/** Every hook is optional; each may change what it is handed. They run in the order of the flags. */
export interface Hooks {
	/** A request as it was read, before it is looked at: mending it takes a check away. */
	request?(message: RpcRequest, headers: IncomingHttpHeaders): void;
	/** A message to the client: `message` is its JSON, to be changed in place or replaced. */
	message?(message: Json, about: About): Replacement;
	/** The text of one frame as it stands on the transport, SSE or a line. */
	frame?(text: string, about: About): string;
	/** An HTTP answer that is no stream. */
	reply?(reply: HttpReply, about: About): void;
	/** Milliseconds to wait before an answer, a frame or a delivery is written. */
	delay?(): number;
	/** A webhook POST: an event's attempt or an envelope, to be changed in place or replaced; see `resign`. */
	delivery?(delivery: OutgoingDelivery): undefined | OutgoingDelivery[];
	/** How the answer to a webhook POST is taken. */
	judge?: DeliveryManners["judge"];
	/** The challenge of a new endpoint: what is sent, and what counts as its echo. */
	handshake?: HandshakeManners;
	/** The cursor that an event's delivery carries. */
	deliveryCursor?: DeliveryManners["cursor"];
	/** An event type as it comes from its source. */
	type?(type: SourceType): SourceType;
	/** Somebody was let in to an event. */
	admitted?(principal: string | undefined, name: string): void;
}

export interface FlawTools {
	access: Access;
	/** Lifts the rules for callbacks to one origin, as the fixture control does. */
	allowCallbackOrigin(origin: string): void;
	/** Epoch milliseconds. */
	now(): number;
	/** Calls `act` once after `ms`, unless the server has closed by then. */
	later(act: () => void, ms: number): void;
}

export interface FlawValue {
	unit: "count" | "duration";
	default: number;
	/** Completes "VALUE is …". */
	means: string;
}

export interface Flaw {
	/** What it does, in kebab-case; what stands after --fault. */
	name: string;
	/** The scenario of the rule, or "chaos" where no rule is broken that a grader checks. */
	scenario: string;
	/** The id of the rule in the catalogue of checks, or "chaos". */
	rule: string;
	/** One sentence without a full stop. */
	about: string;
	value?: FlawValue | undefined;
	make(value: number, tools: FlawTools): Hooks;
}

/** A flaw that was asked for. */
export interface ChosenFlaw {
	flaw: Flaw;
	value: number;
}
