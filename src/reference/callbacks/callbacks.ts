// What the rest of the server knows of callbacks: the one guarded way out, and whose consent it has (events.md 6).
import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { NameServer } from "../../network/index.ts";
import type { CallbackReason } from "../../protocol/index.ts";
import type { Clock } from "../clock.ts";

/** The end of one POST. Nothing that the endpoint said is kept but its status. */
export type PostAnswer =
	/** Any status; a redirect is one like the others and is never followed. */
	| { kind: "answered"; status: number }
	| { kind: "failed"; reason: CallbackReason };

export interface CallbackPost {
	url: string;
	headers: Readonly<Record<string, string>>;
	body: string | Buffer;
	/** Aborts the POST, which then rejects with the signal's reason. */
	signal?: AbortSignal | undefined;
}

export interface ConsentRequest {
	principal: string;
	url: string;
	/** Named in the handshake's header. */
	subscriptionId: string;
	/** Signs the handshake: `whsec_...`, checked by the caller. */
	secret: string;
	manners?: HandshakeManners | undefined;
}

/** A handshake as it is about to be sent. */
export interface OutgoingHandshake {
	url: string;
	principal: string;
	headers: Record<string, string>;
	body: string;
	/** Signs a text as an honest handshake is signed: the value of `webhook-signature`. */
	sign(id: string, timestampSeconds: number, body: string): string;
}

/** What an endpoint answered to a handshake; `body` is undefined where it was too long. */
export interface HandshakeAnswer {
	status: number;
	headers: IncomingHttpHeaders;
	body: Buffer | undefined;
}

/** Where a server that breaks a rule on purpose steps in. An honest one has none of these. */
export interface HandshakeManners {
	/** Whether whoever consented before is asked once more. */
	asksAgain?(): boolean;
	/** May change the handshake; where it gives false, nobody is asked. */
	outgoing?(handshake: OutgoingHandshake): boolean | Promise<boolean>;
	/** Whether an answer counts as the echo. */
	judge?(
		isEcho: boolean,
		answer: HandshakeAnswer,
		handshake: OutgoingHandshake,
	): boolean | Promise<boolean>;
}

/** A consent that is in force: to whom, for which URL (as it was asked), until when (epoch milliseconds). */
export interface Verification {
	principal: string;
	url: string;
	untilMs: number;
}

export interface Callbacks {
	/**
	 * Throws the refusal InvalidParams unless the URL is one that may be called: https, no user information, and every
	 * address of its host public. Never says what was found there. A name that cannot be asked for just now passes.
	 */
	check(url: string): Promise<void>;
	/**
	 * Returns once there is consent for (principal, url): an earlier one, the allowlist, the receiver's document, or a
	 * handshake. Throws the refusals CallbackEndpointError with `data.reason`, and ResourceExhausted where one
	 * destination is asked too often. The URL must have passed `check`.
	 */
	verify(request: ConsentRequest): Promise<void>;
	/** One POST by the guarded path: the host is resolved and checked again for every connection. */
	post(request: CallbackPost): Promise<PostAnswer>;
	/** The fixture control: this origin (`http://127.0.0.1:8080`) may be http and private until the server ends. */
	allowOrigin(origin: string): void;
	/** Every consent in force, for a store that outlives the process. */
	verifications(): Verification[];
	/** Takes back what a store kept; what has run out meanwhile is left out. */
	restore(verifications: readonly Verification[]): void;
	/** Ends every connection; what is under way fails. */
	close(): Promise<void>;
}

export interface CallbackOptions {
	clock: Clock;
	/** A cryptographic source. */
	randomBytes(size: number): Buffer;
	/** --allow-callback: consent that needs no asking; see `parsePattern`. */
	allowCallbacks?: readonly string[] | undefined;
	/** --allow-private-callbacks: blocks that the address rule lets through, and nothing else. */
	allowPrivateCidrs?: readonly string[] | undefined;
	/** --callback-ca: PEM text of certificates that are trusted beside the usual roots. */
	ca?: string | undefined;
	/** --resolver: the name server to ask, in place of this machine's own way. */
	resolver?: NameServer | undefined;
	/** One exchange, from the first question for a name to the end of the answer; 5 s. */
	deadlineMs?: number | undefined;
	/** How long a consent is remembered; 24 h. */
	consentMs?: number | undefined;
	/** Handshakes with one host, whoever wants them; 300. */
	handshakesPerMinute?: number | undefined;
	/** Opens a TCP connection; a test counts with it. */
	dial?: ((target: { address: string; port: number }) => Socket) | undefined;
}
