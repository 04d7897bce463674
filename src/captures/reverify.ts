// Checks a capture again, as of the moment at which it arrived.
import {
	type Explanation,
	explainMismatch,
	type NamedPublicKey,
	type NamedSecret,
	type Verdict,
	verifyDelivery,
} from "../signing/index.ts";
import type { Capture } from "./capture.ts";

export interface ReverifyOptions {
	secrets: readonly NamedSecret[];
	/** Secrets of ours that this delivery should not have been signed with. */
	otherSecrets?: readonly NamedSecret[];
	publicKeys?: readonly NamedPublicKey[];
	toleranceSeconds?: number | undefined;
	/** As of when; by default the time of its arrival. */
	nowMs?: number | undefined;
}

/** The verdict on a capture with these secrets. */
export function reverify(capture: Capture, options: ReverifyOptions): Verdict {
	return verifyDelivery(asReceived(capture, options));
}

/** Which one mistake explains that a capture is not valid. */
export function explainCapture(
	capture: Capture,
	options: ReverifyOptions,
): Explanation {
	return explainMismatch(asReceived(capture, options));
}

/** Written out: spread into one another, the objects would take as long as the signature does. */
const asReceived = (capture: Capture, options: ReverifyOptions) => ({
	headers: capture.headers,
	body: capture.body,
	nowMs: options.nowMs ?? capture.receivedAtMs,
	secrets: options.secrets,
	otherSecrets: options.otherSecrets,
	publicKeys: options.publicKeys,
	toleranceSeconds: options.toleranceSeconds,
});
