// The answers that a sender is to be tried with: `503x2,200`, `slow:8s`, `drop`, `302:URL`, `wrong-challenge`.
import { Fault } from "../faults/index.ts";

/** What one attempt is answered with. `text` is the step as it was written, without its repetition. */
export type ReplyStep = { text: string } & (
	| { kind: "status"; status: number; location?: string }
	/** The right answer, after a while. */
	| { kind: "slow"; ms: number }
	/** The connection is closed in place of an answer. */
	| { kind: "drop" }
	/** Deliveries get the right answer; a handshake gets another challenge than its own. */
	| { kind: "wrong-challenge" }
);

const MOST_STEPS = 1_000;
/** The receiver closes a connection on which nothing moves for longer. */
const LONGEST_WAIT_MS = 60_000;
const UNIT_MS: Readonly<Record<string, number>> = {
	ms: 1,
	s: 1_000,
	m: 60_000,
};
const ALLOWED =
	"steps are, by commas: a status (503), slow:8s, drop, 302:URL, wrong-challenge; xN behind the first word repeats: 503x2, slowx3:8s";

/** The steps of a script, one for each attempt. Throws `wrong-use` that names the step. */
export function parseReplyScript(text: string): ReplyStep[] {
	const steps = text.split(",").flatMap((word) => parseStep(word.trim()));
	if (steps.length > MOST_STEPS)
		throw new Fault("wrong-use", {
			what: `the script of --reply has ${steps.length} steps, and may have ${MOST_STEPS}`,
			next: "let the last step stand for all that follow: --reply 503x5,200",
		});
	return steps;
}

function parseStep(word: string): ReplyStep[] {
	const [, name = "", times = "1", value] =
		/^(\d{3}|slow|drop|wrong-challenge)(?:x(\d{1,4}))?(?::(.+))?$/.exec(word) ??
		[];
	const step = makeStep(name, value);
	if (!step || Number(times) < 1)
		throw new Fault("wrong-use", {
			what: `--reply: ${JSON.stringify(word)} is no step`,
			why: ALLOWED,
			next: "--reply 503x2,200",
		});
	return Array.from({ length: Number(times) }, () => step);
}

function makeStep(
	name: string,
	value: string | undefined,
): ReplyStep | undefined {
	const text = value === undefined ? name : `${name}:${value}`;
	if (/^\d/.test(name)) return statusStep(Number(name), value, text);
	if (name === "slow") {
		const [, number, unit = ""] =
			/^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value ?? "") ?? [];
		const ms = Math.round(Number(number) * (UNIT_MS[unit] ?? Number.NaN));
		return ms <= LONGEST_WAIT_MS ? { kind: "slow", ms, text } : undefined;
	}
	if (value !== undefined) return undefined;
	return name === "drop" || name === "wrong-challenge"
		? { kind: name, text }
		: undefined;
}

/** Redirects need to say where to, and nothing else may. 1xx is no answer. */
function statusStep(
	status: number,
	location: string | undefined,
	text: string,
): ReplyStep | undefined {
	if (status < 200 || status > 599) return undefined;
	const isRedirect = [301, 302, 303, 307, 308].includes(status);
	if (isRedirect !== (location !== undefined)) return undefined;
	if (location === undefined) return { kind: "status", status, text };
	return /^[\x21-\x7e]+$/.test(location) && URL.canParse(location)
		? { kind: "status", status, location, text }
		: undefined;
}
