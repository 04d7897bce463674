// The asymmetric signature that may stand beside the other: its key comes from the server's own origin, and from
// nowhere else (events.md 6, Signature).
import { JWKS_PATH, WEBHOOK_HEADERS } from "../../protocol/index.ts";
import { parseJwks, verifyDelivery } from "../../signing/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, skipped } from "../finding.ts";
import {
	type CallbackRequest,
	headerOf,
} from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import { requestsOf } from "./requests.ts";
import { deliveryRow, type Stage } from "./stage.ts";

export const keyChecks: Check<Stage>[] = [
	deliveryRow("server-identity-key-discovery", judgeKeys, { phase: "closing" }),
];

const isAsymmetric = (request: CallbackRequest) =>
	/(^| )v1a,/.test(headerOf(request, WEBHOOK_HEADERS.signature) ?? "");

/** What a JSON Web Key, or a key in PEM, has in its text. */
const KEY = /"kty"\s*:|BEGIN PUBLIC KEY/;

async function judgeKeys(
	context: GradeContext,
	{ probes }: Stage,
): Promise<Finding> {
	const all = requestsOf(probes);
	const signed = all.filter(isAsymmetric);
	const [first] = signed;
	if (!first) return skipped("no delivery has the optional v1a signature");
	const carrier = signed.find(({ body }) => KEY.test(body.toString("utf8")));
	if (carrier) return broken("a key is handed over in a delivery", carrier);
	const { target } = context.options;
	if (target.kind !== "http")
		return skipped("a server without an address has no origin for its keys");
	const text = await fetchKeys(new URL(JWKS_PATH, target.url), context);
	if (text === undefined)
		return broken(
			`deliveries have v1a signatures, and ${JWKS_PATH} of the server's origin has no keys`,
			first,
		);
	return judgeSignedBy(text, signed);
}

function judgeSignedBy(
	text: string,
	signed: readonly CallbackRequest[],
): Finding {
	const publicKeys = readKeys(text);
	const wrong = signed.find(
		({ headers, body, atMs }) =>
			verifyDelivery({
				...{ headers, body, publicKeys, secrets: [] },
				nowMs: atMs,
				toleranceSeconds: Number.POSITIVE_INFINITY,
			}).kind !== "valid",
	);
	return wrong
		? broken(
				`a v1a signature fits none of the ${publicKeys.length} keys of ${JWKS_PATH}`,
				wrong,
			)
		: holds(
				`${signed.length} v1a signatures fit the keys of ${JWKS_PATH}`,
				...signed.slice(0, 2),
			);
}

function readKeys(text: string) {
	try {
		return parseJwks(Buffer.from(text));
	} catch {
		return [];
	}
}

const MOST_CHARACTERS = 64 * 1024;

/** The document's text; undefined where there is none. */
async function fetchKeys(
	url: URL,
	{ signal, options }: GradeContext,
): Promise<string | undefined> {
	const limit = AbortSignal.any([
		signal,
		AbortSignal.timeout(options.timeoutMs),
	]);
	try {
		const answer = await fetch(url, { signal: limit, redirect: "error" });
		if (!answer.ok) return undefined;
		return (await answer.text()).slice(0, MOST_CHARACTERS);
	} catch (error) {
		if (signal.aborted) throw error;
		return undefined;
	}
}
