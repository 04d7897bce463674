// What `verify` does: each delivery is checked again, and what is wrong with it is named.
import { availableParallelism } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Capture } from "../../captures/index.ts";
import { EXIT_STATUSES, Fault, shellWord } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import { type HeaderPair, WEBHOOK_HEADERS } from "../../protocol/index.ts";
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
import { writeSecretTexts } from "../listen/secret-choice.ts";
import type { World } from "../process/world.ts";
import {
	captureFilters,
	largeCaptureFiles,
	oddTeller,
	readWordBatches,
} from "./capture-source.ts";
import {
	type CheckedDelivery,
	type CheckRules,
	checkDelivery,
	verdictLine,
} from "./check-delivery.ts";

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
	const { toleranceSeconds } = options;
	const terms = { publicKeys, nowMs, toleranceSeconds };
	let hasFailed = false;
	const broken = () => {
		hasFailed = true;
	};
	const rules = { ...terms, secretsFor: secrets.forDelivery };
	const found =
		(await checkInThreads(options, pieces, { secrets, terms, broken })) ??
		(await checkHere(options, pieces, { rules, broken }));
	hasFailed ||= found.hasFailed;
	if (found.deliveries === 0 && !hasFailed) throw nothingToCheck(options);
	return hasFailed ? EXIT_STATUSES.no.status : EXIT_STATUSES.done.status;
}

interface Pieces {
	world: World;
	output: Output;
}

interface Found {
	deliveries: number;
	/** Whether one of them is not valid. */
	hasFailed: boolean;
}

/** Less than this is checked sooner than threads have started. */
const LARGE_BYTES = 8 * 1024 * 1024;
const MOST_THREADS = 4;

/** Checks large files of captures for another program to read; undefined, with nothing done, for all else. */
async function checkInThreads(
	options: VerifyOptions,
	{ world, output }: Pieces,
	parts: {
		secrets: KnownSecrets;
		terms: Omit<CheckRules, "secretsFor">;
		broken: () => void;
	},
): Promise<Found | undefined> {
	const threads = Math.min(availableParallelism(), MOST_THREADS);
	if (threads < 2 || options.asText || isTyped(options)) return undefined;
	if (world.stdout.isTTY) return undefined;
	const files = await largeCaptureFiles(options.words, LARGE_BYTES);
	if (!files) return undefined;
	const { verifyFiles } = await import("./verify-files.ts");
	const order = {
		...parts.terms,
		secrets: writeSecretTexts(parts.secrets.book),
		filters: captureFilters(options.flags, world.now()),
	};
	const tell = oddTeller({ output, broken: parts.broken });
	return verifyFiles(files, { order, threads, world, output, tell });
}

async function checkHere(
	options: VerifyOptions,
	pieces: Pieces,
	{ rules, broken }: { rules: CheckRules; broken: () => void },
): Promise<Found> {
	const { world, output } = pieces;
	const { renderVerdict } = await import("../../output/index.ts");
	const found: Found = { deliveries: 0, hasFailed: false };
	const show = async (verdicts: CheckedDelivery[]) => {
		if (!options.asText) return output.lines(verdicts.map(verdictLine));
		for (const fields of verdicts)
			await output.text((page) => renderVerdict(fields, page));
	};
	for await (const batch of deliveries(options, pieces, broken)) {
		found.deliveries += batch.length;
		let verdicts: CheckedDelivery[] = [];
		for (const capture of batch) {
			const checked = checkDelivery(capture, rules);
			verdicts.push(checked);
			if (checked.valid) continue;
			found.hasFailed = true;
			// The search for a mistake takes milliseconds: what it found is shown, and a signal is heard, before the next one.
			await show(verdicts);
			verdicts = [];
			await nextTurn();
			world.stop.throwIfAborted();
		}
		await show(verdicts);
		world.stop.throwIfAborted();
	}
	return found;
}

const isTyped = ({ typed }: VerifyOptions) =>
	Object.values(typed).some((value) => value !== undefined);

async function* deliveries(
	options: VerifyOptions,
	pieces: Pieces,
	broken: () => void,
): AsyncGenerator<Capture[]> {
	const { flags } = options;
	const { world } = pieces;
	const words = options.words.length > 0 ? options.words : ["-"];
	if (words[0] === "-" && world.stdin.isTTY) throw nothingToCheck(options);
	if (isTyped(options)) {
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
