// --forward-to: deliveries go on to a URL with the bytes and headers that came, one after another.
import { Fault, shellWord } from "../../faults/index.ts";
import { openBoundedTasks, openForwarder } from "../../handlers/index.ts";
import type { HeaderPair } from "../../protocol/index.ts";
import type { World } from "../process/world.ts";
import { BEHIND, faultOf, type Handler, notHandedOn } from "./handler.ts";

export interface ForwardTarget {
	/** Only events of this name; undefined: every delivery. */
	name: string | undefined;
	url: URL;
}

export interface ForwardOptions {
	/** PEM text. */
	ca: string | undefined;
	insecure: boolean;
	timeoutMs: number;
	connectTimeoutMs: number;
	addedHeaders: readonly HeaderPair[];
	/** Each sender waits for its own delivery: then they need not wait for each other. */
	isRelayed: boolean;
}

/** So many senders may wait for one target at once. */
const RELAYED_AT_ONCE = 64;

/** `URL` or `NAME=URL`. Throws `wrong-use`; the URL is not repeated, it may hold a secret. */
export function parseForwardTarget(text: string): ForwardTarget {
	const isPlain = /^https?:/i.test(text);
	const [, name, rest] = isPlain
		? [undefined, undefined, text]
		: (/^(.+?)=(https?:.*)$/is.exec(text) ?? []);
	const url =
		rest !== undefined && URL.canParse(rest) ? new URL(rest) : undefined;
	if (url && (isPlain || name !== undefined)) return { name, url };
	// The usual slip; a host and a port hold no secret.
	const place = /^(?:[a-z][\w.-]*)?:\d+$/i.exec(text)?.[0];
	const near = place?.startsWith(":") ? `localhost${place}` : place;
	throw new Fault("wrong-use", {
		what: "a --forward-to is neither an http or https URL nor NAME=URL",
		why: `it has ${text.length} characters; it is not repeated here, a URL may hold a secret`,
		next: near
			? `--forward-to http://${near}/hook`
			: "--forward-to http://127.0.0.1:3000/hook, or: --forward-to orders.created=http://127.0.0.1:3000/orders",
	});
}

/** Opens no connection yet. Throws `wrong-use` for an unusable proxy variable, header or `ca`. */
export function openForwardHandler(
	{ name, url }: ForwardTarget,
	options: ForwardOptions,
	{ now, env }: Pick<World, "now" | "env">,
): Handler {
	const forwarder = openForwarder({ url, ...options, now, env });
	const { label } = forwarder;
	const atOnce = options.isRelayed ? RELAYED_AT_ONCE : 1;
	const to = url.search === "" ? shellWord(label) : "URL";
	const handler: Handler = {
		label,
		tasks: openBoundedTasks({ atOnce, ...BEHIND }),
		takes: (handed) => name === undefined || handed.name === name,
		async hand(handed, signal) {
			const startedAt = now();
			try {
				const answer = await forwarder.forwardDelivery(handed, signal);
				return {
					item: { ...itemOf(handed), ...answer, fault: undefined },
					status: relayable(answer.status),
				};
			} catch (error) {
				if (signal.aborted)
					return handler.notHanded(handed, "the listener ended first");
				const latencyMs = now() - startedAt;
				return failed(handed, faultOf(error), latencyMs);
			}
		},
		notHanded(handed, why) {
			const { capture = "CAPTURE" } = handed;
			const next = `mcp-events replay ${capture} --to ${to}`;
			return failed(handed, notHandedOn(why, next), 0);
		},
		close: () => forwarder.close(),
	};
	const itemOf = (handed: Parameters<Handler["hand"]>[0]) => ({
		kind: "forwarded" as const,
		subscription: handed.subscription,
		via: "webhook" as const,
		receivedAt: now(),
		id: handed.id,
		to: label,
		capture: handed.capture,
	});
	const failed = (
		handed: Parameters<Handler["hand"]>[0],
		fault: Fault,
		latencyMs: number,
	) => ({
		item: {
			...itemOf(handed),
			status: undefined,
			latencyMs,
			bodyStart: "",
			fault,
		},
		status: statusOfFault(fault),
	});
	return handler;
}

/** A sender can be answered by it. */
const relayable = (status: number) =>
	status >= 200 && status <= 599 ? status : 502;

function statusOfFault({ code }: Fault): number {
	if (code === "not-handed-on") return 503;
	return code === "timed-out" ? 504 : 502;
}
