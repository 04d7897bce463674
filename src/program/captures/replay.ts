// What `replay` does: captures are found, made ready, and sent again.

import { randomBytes } from "node:crypto";
import {
	type Capture,
	draftAsCaptured,
	holdsValue,
	type JsonEdit,
	type Pace,
	type Prepared,
	parseJsonEdit,
	redraft,
	replayCaptures,
	signDraft,
	type WebhookIdStyle,
} from "../../captures/index.ts";
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import {
	headerValues,
	parseJsonBytes,
	SIGNATURE_TOLERANCE_SECONDS,
	WEBHOOK_HEADERS,
} from "../../protocol/index.ts";
import type {
	FilterFlags,
	PlaceFlags,
	PostFlags,
	SecretFlags,
} from "../flags/capture-flags.ts";
import {
	type KnownSecrets,
	readKnownSecrets,
} from "../listen/known-secrets.ts";
import type { World } from "../process/world.ts";
import { captureFilters, readCaptureWords } from "./capture-source.ts";
import { openPoster, type SentFacts, showAttempt, statusOf } from "./post.ts";

export interface ReplayCommandOptions {
	words: string[];
	flags: PlaceFlags & FilterFlags & SecretFlags & PostFlags;
	asCaptured: boolean;
	isNewId: boolean;
	webhookId: WebhookIdStyle | undefined;
	subscriptionId: string | undefined;
	/** PATH=VALUE: only bodies that hold it. */
	bodyFilters: string[];
	/** PATH=VALUE: set in every body. */
	edits: string[];
	pace: Pace;
	asText: boolean;
}

interface Pieces {
	world: World;
	output: Output;
}

interface Sending extends Prepared {
	facts: Omit<SentFacts, "to">;
}

/** Sends captures again; status 1 where one is not answered 2xx. */
export async function runReplay(
	options: ReplayCommandOptions,
	world: World,
	output: Output,
): Promise<number> {
	refuseContradictions(options);
	const pieces = { world, output };
	const { flags, pace, asText } = options;
	const edits = options.edits.map((text) => parseJsonEdit(text, "set"));
	const secrets = await readKnownSecrets(flags, pieces);
	const poster = await openPoster(flags, pieces);
	try {
		const total = await replayCaptures(
			sendings({ ...options, parsedEdits: edits }, secrets, pieces),
			{
				pace,
				retries: flags.retry,
				...world,
				signal: world.stop,
				post: poster.post,
				tell: ({ facts }, attempt) =>
					showAttempt({ ...facts, to: poster.label }, attempt, {
						output,
						nowMs: world.now(),
						asText,
					}),
			},
		);
		if (total.sent === 0) throw nothingToSend(options);
		return statusOf(total);
	} finally {
		poster.close();
	}
}

/** What came with a good signature, or from a server that was asked for it. */
const GOOD_VERDICTS = ["valid", "parked"];

type Parsed = ReplayCommandOptions & { parsedEdits: JsonEdit[] };

async function* sendings(
	options: Parsed,
	secrets: KnownSecrets,
	pieces: Pieces,
): AsyncGenerator<Sending> {
	const tellOld = tellOnce(pieces.output);
	for await (const capture of chosen(options, pieces)) {
		const { asCaptured } = options;
		const draft = asCaptured
			? draftAsCaptured(capture)
			: redraft(capture, {
					...options,
					edits: options.parsedEdits,
					randomBytes,
				});
		const facts = {
			capture: capture.id,
			name: capture.id,
			subscription: capture.subscription ?? "",
			webhookId: draft.webhookId,
			eventId: draft.eventId,
		};
		if (asCaptured) {
			const age = ageSeconds(capture, pieces.world.now());
			if (age !== undefined && Math.abs(age) > SIGNATURE_TOLERANCE_SECONDS)
				tellOld(
					`${capture.id} was signed ${age} s ago: a receiver that checks the time refuses it after ${SIGNATURE_TOLERANCE_SECONDS} s; without --as-captured it is signed afresh`,
				);
			yield { capture, make: () => draft, facts };
			continue;
		}
		const signer = secrets.toSign(capture);
		if (!signer) throw noSecret(capture);
		const { secret } = signer.secret;
		const make = () => signDraft(draft, secret, pieces.world.now());
		yield { capture, make, facts };
	}
}

/** What was rejected is sent only where it is asked for: signed afresh, a forgery would be made good. */
async function* chosen(
	{ words, flags, bodyFilters }: Parsed,
	pieces: Pieces,
): AsyncGenerator<Capture> {
	const { world, output } = pieces;
	const verdict = flags.verdict ?? GOOD_VERDICTS;
	const filters = captureFilters({ ...flags, verdict }, world.now());
	const wanted = bodyFilters.map((text) => parseJsonEdit(text, "filter"));
	const found = readCaptureWords(words, { flags, filters, ...pieces });
	for await (const { capture, isNamed } of found) {
		if (!wanted.every((one) => holds(capture, one))) continue;
		if (isNamed && !GOOD_VERDICTS.includes(capture.verdict.kind))
			output.warn(
				`${capture.id} was rejected when it came (${capture.verdict.kind}); it is sent because it is named`,
			);
		yield capture;
	}
}

function holds({ body }: Capture, edit: JsonEdit): boolean {
	try {
		parseJsonBytes(body);
		return holdsValue(body, edit);
	} catch (error) {
		if (error instanceof Fault) return false;
		throw error;
	}
}

function ageSeconds({ headers }: Capture, nowMs: number): number | undefined {
	const [text = ""] = headerValues(headers, WEBHOOK_HEADERS.timestamp);
	if (!/^\d{1,12}$/.test(text)) return undefined;
	return Math.floor(nowMs / 1_000) - Number(text);
}

function tellOnce(output: Output): (text: string) => void {
	let isTold = false;
	return (text) => {
		if (!isTold) output.warn(text);
		isTold = true;
	};
}

function refuseContradictions(options: ReplayCommandOptions): void {
	const { words, asCaptured } = options;
	if (words.length === 0)
		throw new Fault("wrong-use", {
			what: "replay needs a CAPTURE",
			why: "no id, no file and no - is named",
			next: "see what was captured: mcp-events captures list",
		});
	const anew = [
		options.isNewId ? "--new-id" : "",
		options.webhookId ? "--webhook-id" : "",
		options.subscriptionId !== undefined ? "--subscription-id" : "",
		options.edits.length > 0 ? "--set" : "",
		options.flags["secret-file"] ? "--secret-file" : "",
	].filter((flag) => flag !== "");
	if (asCaptured && anew.length > 0)
		throw new Fault("wrong-use", {
			what: `${anew.join(" and ")} cannot be used with --as-captured`,
			why: "that sends what was captured, byte for byte, with the signature that it had",
			next: "leave --as-captured out",
		});
}

function noSecret({ id, subscription }: Capture): Fault {
	const whose = subscription === undefined ? "" : ` of ${subscription}`;
	return new Fault("wrong-use", {
		what: `there is no secret to sign ${id} with`,
		why: `no --secret-file is given, and the secret${whose} that it came with is not known here`,
		next: "name it: --secret-file PATH, or send what was captured: --as-captured",
	});
}

function nothingToSend({ words, flags }: ReplayCommandOptions): Fault {
	const verdicts = (flags.verdict ?? GOOD_VERDICTS).join(", ");
	return new Fault("wrong-use", {
		what: `there is nothing to replay in ${words.join(" ")}`,
		why: `no delivery in it fits; the verdict must be ${verdicts}`,
		next: "see what is there: mcp-events captures list, and ask for others: --verdict KIND",
	});
}
