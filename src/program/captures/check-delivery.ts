// The verdict of `verify` on one delivery, and the line that is printed of it.
import { type Capture, explainCapture } from "../../captures/index.ts";
import { headerValues, WEBHOOK_HEADERS } from "../../protocol/index.ts";
import {
	type Explanation,
	type NamedPublicKey,
	tellVerdict,
	type Verdict,
} from "../../signing/index.ts";
import type { Addressed, SecretsFor } from "../listen/secret-choice.ts";

export interface CheckRules {
	secretsFor: (delivery: Addressed) => SecretsFor;
	publicKeys: readonly NamedPublicKey[];
	/** As of when; undefined: each at its arrival. */
	nowMs: number | undefined;
	toleranceSeconds: number | undefined;
}

export type CheckedDelivery = ReturnType<typeof checkDelivery>;

/** The members of the line that is printed for a delivery, in their order. */
export function checkDelivery(capture: Capture, rules: CheckRules) {
	const { secrets, otherSecrets } = rules.secretsFor(capture);
	const nowMs = rules.nowMs ?? capture.receivedAtMs;
	const explanation = explainCapture(capture, {
		secrets,
		otherSecrets,
		publicKeys: rules.publicKeys,
		toleranceSeconds: rules.toleranceSeconds,
		nowMs,
	});
	const { kind, verdict } = explanation;
	return {
		capture: capture.id,
		webhookId: headerValues(capture.headers, WEBHOOK_HEADERS.id)[0] ?? null,
		valid: kind === "valid",
		told: tellVerdict(verdict),
		checkedAsOf: instantText(nowMs),
		verdict,
		cause: causeOf(capture, explanation),
		skewSeconds: kind === "valid" ? undefined : explanation.skewSeconds,
	};
}

/** The same as one line of JSON: of a valid delivery written out, which takes a third of the time for all the same ones. */
export function verdictLine(checked: CheckedDelivery): string {
	const { capture, webhookId, told, checkedAsOf, verdict, cause } = checked;
	if (verdict.kind !== "valid" || cause) return JSON.stringify(checked);
	if (told !== lastSigned.told)
		lastSigned = { told, ...signedTexts(told, verdict) };
	const { toldText, verdictText } = lastSigned;
	return `{"capture":${JSON.stringify(capture)},"webhookId":${JSON.stringify(webhookId)},"valid":true,"told":${toldText},"checkedAsOf":"${checkedAsOf}","verdict":${verdictText}}`;
}

/** Most deliveries were signed with the key of the one before; what is told names the key and the version. */
let lastSigned = { told: "", toldText: "", verdictText: "" };

const signedTexts = (told: string, verdict: Verdict) => ({
	toldText: JSON.stringify(told),
	verdictText: JSON.stringify(verdict),
});

const MILLISECONDS = 1_000;
let lastSecond = { seconds: Number.NaN, text: "" };

/** As toISOString has it, which is asked for once a second: deliveries come in order, and it takes long. */
function instantText(moment: number): string {
	const ms = Math.trunc(moment);
	const seconds = Math.floor(ms / MILLISECONDS);
	if (seconds !== lastSecond.seconds) {
		const whole = new Date(seconds * MILLISECONDS).toISOString();
		lastSecond = { seconds, text: whole.slice(0, -"000Z".length) };
	}
	const rest = ms - seconds * MILLISECONDS;
	return `${lastSecond.text}${String(rest).padStart(3, "0")}Z`;
}

function causeOf(capture: Capture, explanation: Explanation) {
	if (isUnread(capture)) return unreadCause(capture);
	return explanation.kind === "explained" ? explanation.cause : undefined;
}

/** Refused by its head alone: a body that was never read is not one that was cut short. */
function isUnread({ body, verdict }: Capture): boolean {
	return body.length === 0 && UNREAD.has(verdict.kind);
}

const UNREAD: ReadonlySet<string> = new Set([
	"unknown-path",
	"wrong-method",
	"too-large",
	"busy",
]);

const unreadCause = ({ verdict, answer }: Capture) => ({
	kind: "not-read",
	told: `it was refused before its body was read (${verdict.kind}, answered ${answer.status}): there is nothing to check`,
});
