// Whether a request is signed with a secret of ours, over the bytes as they came. Computed here, apart from the code
// that signs and verifies elsewhere in this program: two mistakes that agree would not be seen.
import { createHmac } from "node:crypto";
import { WEBHOOK_HEADERS } from "../../protocol/index.ts";
import type { Secret } from "../../signing/index.ts";
import {
	type CallbackRequest,
	headerOf,
} from "../receiving/callback-request.ts";

/** Whatever its age: how a timestamp is written is another question. */
export function isSignedWith(
	request: CallbackRequest,
	secrets: readonly Secret[],
): boolean {
	const id = headerOf(request, WEBHOOK_HEADERS.id) ?? "";
	const timestamp = headerOf(request, WEBHOOK_HEADERS.timestamp) ?? "";
	const signatures = headerOf(request, WEBHOOK_HEADERS.signature) ?? "";
	const given = signatures.split(" ");
	return secrets.some((secret) => {
		const encoded = secret.reveal().slice("whsec_".length);
		const right = createHmac("sha256", Buffer.from(encoded, "base64"))
			.update(`${id}.${timestamp}.`, "latin1")
			.update(request.body)
			.digest("base64");
		return given.includes(`v1,${right}`);
	});
}
