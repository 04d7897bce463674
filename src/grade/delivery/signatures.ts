// Whether a request is signed with a secret of ours, over the bytes as they came and whatever its age.
import { type Secret, verifyDelivery } from "../../signing/index.ts";
import type { CallbackRequest } from "../receiving/callback-request.ts";

export function isSignedWith(
	{ headers, body, atMs }: CallbackRequest,
	secrets: readonly Secret[],
): boolean {
	const { kind } = verifyDelivery({
		headers,
		body,
		secrets: secrets.map((secret) => ({ label: "ours", secret })),
		nowMs: atMs,
		toleranceSeconds: Number.POSITIVE_INFINITY,
	});
	return kind === "valid";
}
