// Asks an endpoint whether it wants deliveries: a signed nonce, which it must send back (events.md 6, Consent).
import { timingSafeEqual } from "node:crypto";
import { isRecord, WEBHOOK_HEADERS } from "../../protocol/index.ts";
import { parseSecret, signMessage } from "../../signing/index.ts";
import type { Clock } from "../clock.ts";
import { CallFailure } from "./call-failure.ts";
import type { ConsentRequest, OutgoingHandshake } from "./callbacks.ts";
import type { Answer, GuardedPath } from "./exchange.ts";

export interface HandshakeWorld {
	path: GuardedPath;
	clock: Clock;
	randomBytes(size: number): Buffer;
}

const NONCE_BYTES = 32;
const ID_BYTES = 16;
/** An echo is some sixty bytes; the rest is for those who answer with more than was asked. */
const ECHO_LIMIT_BYTES = 4 * 1024;

/**
 * Returns once the endpoint has sent back a nonce that was made for this one exchange and ends with it. Throws
 * CallFailure; an endpoint that answers with anything else, an error status included, has failed the challenge.
 */
export async function shakeHands(
	{ path, clock, randomBytes }: HandshakeWorld,
	request: Omit<ConsentRequest, "url"> & { url: URL },
): Promise<void> {
	const { manners, secret: text, principal } = request;
	const secret = parseSecret(text);
	const sign = (anId: string, timestampSeconds: number, body: string) =>
		signMessage({
			id: anId,
			timestampSeconds,
			body: Buffer.from(body),
			secret,
		});
	const challenge = randomBytes(NONCE_BYTES).toString("base64url");
	const body = JSON.stringify({ type: "verification", challenge });
	const id = `msg_verification_${randomBytes(ID_BYTES).toString("base64url")}`;
	const timestampSeconds = Math.floor(clock.now() / 1_000);
	const handshake: OutgoingHandshake = {
		url: request.url.href,
		principal,
		headers: {
			"content-type": "application/json",
			[WEBHOOK_HEADERS.id]: id,
			[WEBHOOK_HEADERS.timestamp]: String(timestampSeconds),
			[WEBHOOK_HEADERS.signature]: sign(id, timestampSeconds, body),
			[WEBHOOK_HEADERS.subscriptionId]: request.subscriptionId,
		},
		body,
		sign,
	};
	if ((await manners?.outgoing?.(handshake)) === false) return;
	const answer = await path.exchange({
		url: request.url,
		method: "POST",
		headers: handshake.headers,
		body: handshake.body,
		bodyLimitBytes: ECHO_LIMIT_BYTES,
	});
	const isHonest = isEcho(answer, challenge);
	const isTaken =
		(await manners?.judge?.(isHonest, answer, handshake)) ?? isHonest;
	if (!isTaken) throw new CallFailure("challenge_failed");
}

function isEcho({ status, body }: Answer, challenge: string): boolean {
	if (status < 200 || status > 299 || !body) return false;
	const echoed = Buffer.from(challengeIn(body));
	const wanted = Buffer.from(challenge);
	return echoed.length === wanted.length && timingSafeEqual(echoed, wanted);
}

function challengeIn(body: Buffer): string {
	try {
		const value: unknown = JSON.parse(body.toString("utf8"));
		return isRecord(value) && typeof value.challenge === "string"
			? value.challenge
			: "";
	} catch {
		return "";
	}
}
