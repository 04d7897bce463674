// What `verify` does: each delivery is checked again, and what is wrong with it is named.
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Capture, explainCapture } from "../../captures/index.ts";
import { EXIT_STATUSES, Fault, shellWord } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import {
	type HeaderPair,
	headerValues,
	WEBHOOK_HEADERS,
} from "../../protocol/index.ts";
import {
	type Explanation,
	type NamedPublicKey,
	tellVerdict,
} from "../../signing/index.ts";
import type {
	FilterFlags,
	PlaceFlags,
	SecretFlags,
} from "../flags/capture-flags.ts";
import { readStdin } from "../flags/files.ts";
import { parseMoment } from "../flags/moment.ts";
import { readPublicKeys } from "../flags/public-keys.ts";
import {
	type KnownSecrets,
	readKnownSecrets,
} from "../listen/known-secrets.ts";
import type { World } from "../process/world.ts";
import { captureFilters, readWordBatches } from "./capture-source.ts";

export interface VerifyOptions {
	words: string[];
	flags: PlaceFlags & FilterFlags & SecretFlags;
	/** The headers of the signature; the body is then what the word names. */
	typed: { id?: string; timestamp?: string; signature?: string };
	publicKeyFiles: string[];
	/** As of when; by default each at its arrival. */
	now: string | undefined;
	toleranceSeconds: number | undefined;
	asText: boolean;
}

interface Checked {
	capture: Capture;
	nowMs: number;
	explanation: Explanation;
}

/** Prints a verdict for each delivery; status 1 where one fails. Throws `wrong-use` where there is nothing to check. */
export async function runVerify(
	options: VerifyOptions,
	world: World,
	output: Output,
): Promise<number> {
	const pieces = { world, output };
	const secrets = await readKnownSecrets(options.flags, pieces);
	const publicKeys = await readPublicKeys(options.publicKeyFiles);
	if (secrets.count + publicKeys.length === 0) throw noSecret(options.words);
	const at = options.now;
	const nowMs =
		at === undefined ? undefined : parseMoment(at, "now", world.now());
	const { renderVerdict } = await import("../../output/index.ts");
	let hasFailed = false;
	let count = 0;
	const broken = () => {
		hasFailed = true;
	};
	for await (const batch of deliveries(options, pieces, broken)) {
		count += batch.length;
		const verdicts: ReturnType<typeof verdictFields>[] = [];
		for (const capture of batch) {
			world.stop.throwIfAborted();
			const checked = check(capture, { options, secrets, publicKeys, nowMs });
			verdicts.push(verdictFields(checked));
			if (checked.explanation.kind === "valid") continue;
			hasFailed = true;
			// The search for a mistake takes milliseconds: a signal is heard between two of them.
			await nextTurn();
		}
		if (!options.asText)
			await output.lines(verdicts.map((fields) => JSON.stringify(fields)));
		else
			for (const fields of verdicts)
				await output.text((page) => renderVerdict(fields, page));
	}
	if (count === 0 && !hasFailed) throw nothingToCheck(options);
	return hasFailed ? EXIT_STATUSES.no.status : EXIT_STATUSES.done.status;
}

async function* deliveries(
	options: VerifyOptions,
	pieces: { world: World; output: Output },
	broken: () => void,
): AsyncGenerator<Capture[]> {
	const { flags, typed } = options;
	const { world } = pieces;
	const words = options.words.length > 0 ? options.words : ["-"];
	if (words[0] === "-" && world.stdin.isTTY) throw nothingToCheck(options);
	if (Object.values(typed).some((value) => value !== undefined)) {
		yield [await readTyped(options, words, world)];
		return;
	}
	const filters = captureFilters(flags, world.now());
	const found = readWordBatches(words, { flags, filters, ...pieces, broken });
	for await (const batch of found) yield batch.map(({ capture }) => capture);
}

/** A delivery whose headers stand in flags. */
async function readTyped(
	{ typed }: VerifyOptions,
	words: string[],
	world: World,
): Promise<Capture> {
	const missing = (["id", "timestamp", "signature"] as const).filter(
		(name) => typed[name] === undefined,
	);
	if (missing.length > 0 || words.length > 1)
		throw new Fault("wrong-use", {
			what:
				words.length > 1
					? "--id, --timestamp and --signature are about one body, but several words are given"
					: `${missing.map((name) => `--${name}`).join(" and ")} is missing`,
			why: "a signature covers its id, its timestamp and the body",
			next: "mcp-events verify --id ID --timestamp SECONDS --signature 'v1,…' < BODY",
		});
	const headers: HeaderPair[] = [
		[WEBHOOK_HEADERS.id, typed.id ?? ""],
		[WEBHOOK_HEADERS.timestamp, typed.timestamp ?? ""],
		[WEBHOOK_HEADERS.signature, typed.signature ?? ""],
	];
	const [word = "-"] = words;
	const body = word === "-" ? await readStdin(world) : await readBody(word);
	return {
		id: word === "-" ? "stdin" : word,
		receivedAtMs: world.now(),
		method: "POST",
		path: "/",
		headers,
		body,
		verdict: { kind: "unchecked" },
		answer: { status: null },
	};
}

async function readBody(path: string): Promise<Buffer> {
	const { readFile } = await import("node:fs/promises");
	try {
		return await readFile(path);
	} catch (cause) {
		throw new Fault("file-failed", {
			what: `the body in ${path} cannot be read`,
			why: cause instanceof Error ? cause.message : String(cause),
			cause,
		});
	}
}

function check(
	capture: Capture,
	parts: {
		options: VerifyOptions;
		secrets: KnownSecrets;
		publicKeys: NamedPublicKey[];
		nowMs: number | undefined;
	},
): Checked {
	const { secrets, otherSecrets } = parts.secrets.forDelivery(capture);
	const nowMs = parts.nowMs ?? capture.receivedAtMs;
	const explanation = explainCapture(capture, {
		secrets,
		otherSecrets,
		publicKeys: parts.publicKeys,
		toleranceSeconds: parts.options.toleranceSeconds,
		nowMs,
	});
	return { capture, nowMs, explanation };
}

function verdictFields({ capture, nowMs, explanation }: Checked) {
	const { kind, verdict } = explanation;
	return {
		capture: capture.id,
		webhookId: headerValues(capture.headers, WEBHOOK_HEADERS.id)[0] ?? null,
		valid: kind === "valid",
		told: tellVerdict(verdict),
		checkedAsOf: new Date(nowMs).toISOString(),
		verdict,
		cause: causeOf(capture, explanation),
		skewSeconds: kind === "valid" ? undefined : explanation.skewSeconds,
	};
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

function noSecret(words: readonly string[]): Fault {
	const named = words.length > 0 ? words.map(shellWord).join(" ") : "CAPTURE";
	return new Fault("wrong-use", {
		what: "there is no secret to check with",
		why: "no --secret-file is given, and no subscription of ours is known here",
		next: `mcp-events verify ${named} --secret-file PATH`,
	});
}

function nothingToCheck({ words }: VerifyOptions): Fault {
	return new Fault("wrong-use", {
		what: "there is nothing to verify",
		why:
			words.length > 0
				? `no delivery was found in ${words.join(" ")}`
				: "no CAPTURE or FILE is named, and stdin holds none",
		next: "mcp-events verify CAPTURE, or name a file of captures or HTTP text",
	});
}
