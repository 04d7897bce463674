// Sends deliveries to --to, and shows how each attempt went.
import type { Attempt, Post } from "../../captures/index.ts";
import { EXIT_STATUSES, Fault } from "../../faults/index.ts";
import { type Forwarder, openForwarder } from "../../handlers/index.ts";
import { type Output, renderAnswer } from "../../output/index.ts";
import { parseHeader } from "../connect/connect.ts";
import type { PostFlags } from "../flags/capture-flags.ts";
import { readTextFile } from "../flags/files.ts";
import type { World } from "../process/world.ts";

/** A line to a URL; whoever opened it closes it. */
export interface Poster {
	readonly label: string;
	readonly url: URL;
	readonly post: Post;
	close(): void;
}

/** Throws `wrong-use` for an unusable URL, header or certificate file. Nothing is sent yet. */
export async function openPoster(
	flags: PostFlags,
	{ world, output }: { world: World; output: Output },
): Promise<Poster> {
	const url = parseTarget(flags.to);
	if (flags.insecure)
		output.warn("--insecure: the receiver's certificate is not checked");
	const forwarder: Forwarder = openForwarder({
		url,
		ca: flags.ca ? await readTextFile(flags.ca, "--ca") : undefined,
		insecure: flags.insecure,
		env: world.env,
		timeoutMs: flags.timeout,
		connectTimeoutMs: flags["connect-timeout"],
		addedHeaders: (flags.header ?? []).map((text) => parseHeader(text)),
		now: world.now,
	});
	return {
		label: forwarder.label,
		url,
		post: (outgoing, signal) => forwarder.forwardDelivery(outgoing, signal),
		close: () => forwarder.close(),
	};
}

/** What is told of an attempt, beside how it went. */
export interface SentFacts {
	/** The capture's id; undefined for what is new. */
	capture: string | undefined;
	/** What people call it. */
	name: string;
	subscription: string;
	webhookId: string;
	eventId: string | undefined;
	to: string;
	/** Fields of a command of its own. */
	more?: Record<string, unknown>;
	remark?: string;
}

/** Shows an attempt: a record of the kind `forwarded`, or a line for people. */
export async function showAttempt(
	facts: SentFacts,
	attempt: Attempt,
	pieces: { output: Output; nowMs: number; asText: boolean },
): Promise<void> {
	const { output, nowMs, asText } = pieces;
	if (asText) {
		await output.text((page) => renderAnswer({ ...facts, ...attempt }, page));
		return;
	}
	const { answer, fault } = attempt;
	const { capture, subscription, webhookId, eventId, to } = facts;
	const record = {
		kind: "forwarded",
		subscription,
		via: "webhook",
		receivedAt: new Date(nowMs).toISOString(),
		id: eventId ?? webhookId,
		to,
		status: answer?.status ?? null,
		latencyMs: answer && Math.round(answer.latencyMs),
		bodyStart: answer?.bodyStart ?? "",
		capture,
		webhookId,
		attempt: attempt.attempt,
		...facts.more,
		fault: fault && {
			code: fault.code,
			what: fault.what,
			why: fault.why,
			next: fault.next,
		},
	};
	await output.lines([JSON.stringify(record)]);
}

/** 1 where one was not taken. Throws the last fault where nothing was answered at all: then it is out of reach. */
export function statusOf(total: {
	sent: number;
	failed: number;
	unanswered: number;
	lastUnanswered: Attempt | undefined;
}): number {
	const fault = total.lastUnanswered?.fault;
	if (fault && total.unanswered === total.sent) throw fault;
	return total.failed > 0 ? EXIT_STATUSES.no.status : EXIT_STATUSES.done.status;
}

function parseTarget(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url && /^https?:$/.test(url.protocol)) return url;
	throw new Fault("wrong-use", {
		what: `--to is not an http or https URL`,
		why: url ? `its scheme is ${url.protocol}` : "it cannot be read as a URL",
		next: "--to http://127.0.0.1:3000/hook",
	});
}
