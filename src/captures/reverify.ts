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
	toleranceSeconds?: number;
}

/** The verdict on a capture with these secrets, at the time of its arrival. */
export function reverify(capture: Capture, options: ReverifyOptions): Verdict {
	return verifyDelivery({ ...asReceived(capture), ...options });
}

/** Which one mistake explains that a capture is not valid, at the time of its arrival. */
export function explainCapture(
	capture: Capture,
	options: ReverifyOptions,
): Explanation {
	return explainMismatch({ ...asReceived(capture), ...options });
}

const asReceived = ({ headers, body, receivedAtMs }: Capture) => ({
	headers,
	body,
	nowMs: receivedAtMs,
});
