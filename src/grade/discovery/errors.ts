// The error for a name that the catalogue does not have, and where its number lies (events.md 1, Errors).
import { CORE_CODES, excerpt, METHODS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { isErrorOf } from "../error-names.ts";
import { broken, type Finding, Gate, holds, untestable } from "../finding.ts";
import { isListed } from "../ground.ts";
import type { Check } from "../scenario.ts";
import { type Answer, errorOf, tellError } from "../wire/answer.ts";
import type { FrameError } from "../wire/frame.ts";
import type { Citable } from "../wire/record.ts";
import { noListing } from "./capability.ts";

interface Seen {
	/** Undefined: a result came, or nothing that could be read. */
	error: FrameError | undefined;
	told: string;
	cite: Citable;
}

export const errorChecks: Check<undefined>[] = [
	{
		ids: ["error-not-found", "error-server-range"],
		async run(context) {
			const seen = await askUnknown(context);
			return {
				"error-not-found": judgeName(seen, context),
				"error-server-range": judgeRange(seen),
			};
		},
	},
];

/** Poll leaves nothing behind, and a stream that is refused does not either. */
async function askUnknown(context: GradeContext): Promise<Seen> {
	const { listing, wire, unique, waits } = context;
	if (!isListed(listing)) throw new Gate(noListing(context));
	const name = `conformance.nonexistent.${unique()}`;
	const params = { name, arguments: {}, cursor: null };
	const offers = (mode: "poll" | "push") =>
		listing.types.some(({ modes }) => modes.includes(mode));
	if (offers("poll") || listing.types.length === 0) {
		const answer = await wire.ask(METHODS.poll, params);
		const { outcome } = answer;
		await refuseAbsent(answer, context);
		const error = outcome.kind === "error" ? outcome.error : undefined;
		return {
			error,
			told: outcome.kind === "none" ? outcome.told : "a result",
			cite: answer,
		};
	}
	if (!offers("push"))
		throw new Gate(
			untestable(
				{ kind: "feature", name: "an event type that offers poll or push" },
				"only there can an unknown name be asked for without leaving anything behind",
			),
		);
	await using stream = wire.openStream(METHODS.stream, params);
	const frame = await stream.waitFor(
		({ kind }) => kind === "error",
		waits.errorBeforeOpenMs,
	);
	return {
		error: frame?.error,
		told: "a stream without an error",
		cite: stream,
	};
}

/** A method that is missing for listed types as well says nothing of a name: poll-implemented tells of it. */
async function refuseAbsent(
	answer: Answer,
	{ listing, wire }: GradeContext,
): Promise<void> {
	const isAbsent = (of: Answer) => errorOf(of)?.name === "MethodNotFound";
	const listed = listing.types.find(({ modes }) => modes.includes("poll"));
	if (!listed || !isAbsent(answer)) return;
	const { name } = listed;
	const params = { name, arguments: {}, cursor: null };
	const known = await wire.ask(METHODS.poll, params);
	if (isAbsent(known))
		throw new Gate(
			untestable(
				{ kind: "answer", name: "events/poll" },
				`there is no such method, and none for ${excerpt(name, 80)} either; poll-implemented tells of it`,
				answer,
				known,
			),
		);
}

function judgeName(
	{ error, told, cite }: Seen,
	{ profile }: GradeContext,
): Finding {
	if (!error) return broken(`an unknown name is answered with ${told}`, cite);
	if (isErrorOf(error, "NotFound", profile))
		return holds(tellError(error), cite);
	if (!isInRange(error.code) && !isCore(error.code))
		return untestable(
			{ kind: "answer", name: "events/poll with a code of the extension" },
			`${tellError(error)} lies in no range that gives it a meaning; error-server-range tells of it`,
			cite,
		);
	const hint =
		error.name === "Unsupported"
			? "; Unsupported is for a name that is known and an option that is not offered"
			: "";
	return broken(
		`an unknown name is answered with ${tellError(error)}${hint}`,
		cite,
	);
}

function judgeRange({ error, told, cite }: Seen): Finding {
	if (!error || isCore(error.code))
		return untestable(
			{ kind: "answer", name: "events/poll with a code of the extension" },
			`an unknown name is answered with ${error ? tellError(error) : told}`,
			cite,
		);
	return isInRange(error.code)
		? holds(`${tellError(error)} lies between -32099 and -32000`, cite)
		: broken(`${tellError(error)} lies outside -32099 to -32000`, cite);
}

const isCore = (code: unknown) =>
	Object.values(CORE_CODES).some((known) => known === code);

const isInRange = (code: unknown) =>
	typeof code === "number" &&
	Number.isInteger(code) &&
	code >= -32099 &&
	code <= -32000;
