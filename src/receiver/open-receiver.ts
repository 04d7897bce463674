// The receiver of deliveries: its routes, and the document of its origin, behind the HTTP shell.
import type { IncomingMessage } from "node:http";
import { WELL_KNOWN_PATH } from "../protocol/index.ts";
import { type Answer, refusalAnswer } from "./answer.ts";
import type { Notice } from "./delivery.ts";
import { makeHandler } from "./handle.ts";
import { pathOf, type RequestHead } from "./judge.ts";
import type { Accept } from "./keep.ts";
import { RECEIVER_LIMITS, type ReceiverLimits } from "./limits.ts";
import type { Replies } from "./replies.ts";
import type { Route } from "./route.ts";
import { rememberLast, type Seen } from "./seen.ts";
import { openShell } from "./shell.ts";
import { answerWellKnown } from "./well-known.ts";

export interface ReceiverOptions {
	host: string;
	/** 0 for a free one. */
	port: number;
	routes: readonly Route[];
	accept: Accept;
	now: () => number;
	/** Told of all that does not go to `accept` or went wrong there. Must not throw. */
	tell?: (notice: Notice) => void;
	limits?: Partial<ReceiverLimits>;
	toleranceSeconds?: number;
	/** PEM texts. */
	tls?: { cert: string; key: string };
	/** Serve the well-known document for this prefix. Off without it. */
	wellKnownPrefix?: string;
	seen?: Seen;
	/** Answers good deliveries by a script, to try a sender. */
	replies?: Replies | undefined;
}

export interface Receiver {
	/** Scheme, host and port, as one on this machine reaches it. */
	readonly origin: string;
	readonly port: number;
	/** Takes deliveries at another path from now on. A route at the same path is replaced. */
	addRoute(route: Route): void;
	removeRoute(path: string): void;
	/** Stops listening, lets requests in progress end for `graceMs`, then cuts them off. */
	close(graceMs?: number): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
}

/** Listens for deliveries. Throws `address-unusable`, or `tls-failed` for an unusable certificate. */
export async function openReceiver(
	options: ReceiverOptions,
): Promise<Receiver> {
	const limits = { ...RECEIVER_LIMITS, ...options.limits };
	const { tell = () => {} } = options;
	const routes = new Map(options.routes.map((route) => [route.path, route]));
	const handle = makeHandler({
		routes,
		limits,
		now: options.now,
		accept: options.accept,
		tell,
		seen: options.seen ?? rememberLast(limits.seenKeys),
		toleranceSeconds: options.toleranceSeconds,
		replies: options.replies,
	});
	const prefix = options.wellKnownPrefix;

	async function answerOfOrigin(
		request: IncomingMessage,
		head: RequestHead,
	): Promise<Answer | undefined> {
		if (prefix !== undefined) {
			request.resume();
			return answerWellKnown(head, prefix);
		}
		if (head.method === "POST") return handle(request, head);
		// Every server that keeps to the rules asks for it first; there is nothing to tell of that.
		request.resume();
		return refusalAnswer("unknown-path");
	}

	const answer: typeof handle = (request, head) =>
		pathOf(head.target) === WELL_KNOWN_PATH
			? answerOfOrigin(request, head)
			: handle(request, head);

	const { host, port, tls } = options;
	const shell = await openShell({
		...{ host, port, tls, limits, answer },
		failed: (error) => tell({ kind: "defect", error }),
	});
	return {
		...shell,
		addRoute: (route) => void routes.set(route.path, route),
		removeRoute: (path) => void routes.delete(path),
		[Symbol.asyncDispose]: () => shell.close(),
	};
}
