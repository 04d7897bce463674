// POST /inbound/NAME becomes an event of the type NAME, once it has proven whose it is. The event is in the feed before
// the sender is told so, and a repetition of it is not a second one.
import { Fault } from "../../../faults/index.ts";
import type { Clock } from "../../clock.ts";
import { isLoopback } from "../../http/guard.ts";
import type { HttpRoute, RouteReply, RouteRequest } from "../../http/routes.ts";
import type { Source } from "../../source.ts";
import { type Hook, openHook } from "./hook.ts";
import type { InboundScheme } from "./schemes.ts";

export interface InboundHook {
	/** The event type, and the end of the path: letters, digits, ".", "_", "-". */
	name: string;
	scheme: InboundScheme;
	/** Their texts, out of a file or the environment; several while they change. None for `plain`. */
	secrets?: readonly string[] | undefined;
	/** The member of a plain post that is its eventId. */
	idField?: string | undefined;
	/** The member of a plain post that says when it happened; `timestamp` unless told otherwise. */
	timestampField?: string | undefined;
}

export interface InboundOptions {
	hooks: readonly InboundHook[];
	clock: Clock;
	/** Names this run, so that ids and cursors of another are told apart. */
	epoch: string;
	/** The address that the server listens on: elsewhere than on loopback, `plain` is refused… */
	host: string;
	/** …unless this is set. */
	allowPlain?: boolean | undefined;
	/** Events kept of each hook. */
	bufferSize?: number | undefined;
	maxBodyBytes?: number | undefined;
	/** New events of one hook in a second; above it 429. */
	maxPerSecond?: number | undefined;
	/** For what the operator should know. */
	note?: ((text: string) => void) | undefined;
}

export interface InboundSource extends Source {
	/** To be given to the HTTP server. */
	readonly route: HttpRoute;
}

const PREFIX = "/inbound/";
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const BUFFER_SIZE = 10_000;
/** All hooks share them. */
const BUFFER_BYTES = 64 * 1024 * 1024;
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_PER_SECOND = 100;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i;

/** Throws `wrong-use` for a hook that cannot be, `secret-invalid` for a secret that is none. */
export function openInboundSource(options: InboundOptions): InboundSource {
	const { bufferSize = BUFFER_SIZE, maxPerSecond = MAX_PER_SECOND } = options;
	const { clock, epoch, note = () => {} } = options;
	const { maxBodyBytes = MAX_BODY_BYTES } = options;
	const hooks = new Map<string, Hook>();
	const maxBytes = Math.floor(BUFFER_BYTES / options.hooks.length);
	const world = { clock, epoch, note, bufferSize, maxBytes, maxPerSecond };
	for (const hook of options.hooks) {
		refuseUnfit(hook, options);
		if (hooks.has(hook.name)) throw twice(hook.name);
		hooks.set(hook.name, openHook(hook, world));
	}

	function handle(request: RouteRequest): RouteReply {
		const hook = hooks.get(request.path.slice(PREFIX.length));
		if (!hook) return reply(404);
		if (request.method !== "POST") return reply(405, { allow: "POST" });
		const { "content-type": type, "content-encoding": encoding } =
			request.headers;
		if (!JSON_TYPE.test(type ?? "")) return reply(415);
		if ((encoding ?? "identity").toLowerCase() !== "identity")
			return reply(415);
		if (request.body.length > maxBodyBytes) return reply(413);
		return reply(...hook.take(request));
	}

	return {
		types: [...hooks.values()].map((hook) => hook.type),
		route: {
			matches: (_method, path) => path.startsWith(PREFIX),
			maxBodyBytes,
			handle: async (request) => handle(request),
		},
		close() {},
	};
}

/** A stranger learns the status, and nothing else. */
const reply = (
	status: number,
	headers: Record<string, string> = {},
): RouteReply => ({ status, headers, body: "" });

function refuseUnfit(
	{ name, scheme, secrets = [] }: InboundHook,
	{ host, allowPlain = false }: InboundOptions,
): void {
	const what = `inbound ${JSON.stringify(name)} cannot be served`;
	if (!NAME.test(name))
		throw new Fault("wrong-use", {
			what,
			why: 'a name is 1 to 100 letters, digits, ".", "_" and "-", and begins with a letter or digit',
			next: "give it another name, such as orders.created",
		});
	if (scheme === "plain" && secrets.length > 0)
		throw new Fault("wrong-use", {
			what,
			why: "it has a secret, and plain posts are not signed",
			next: "say how they are signed: standard-webhooks, github or stripe",
		});
	if (scheme !== "plain" && secrets.every((secret) => secret.trim() === ""))
		throw new Fault("wrong-use", {
			what,
			why: `posts by ${scheme} are signed, and it has no secret to check them with`,
			next: "give the secret, in a file or an environment variable",
		});
	if (scheme === "plain" && !isLoopback(host) && !allowPlain)
		throw new Fault("wrong-use", {
			what,
			why: `plain posts prove nothing, and ${host} can be reached by others`,
			next: "listen on 127.0.0.1, let the posts be signed, or allow plain ones explicitly",
		});
}

const twice = (name: string) =>
	new Fault("wrong-use", {
		what: `inbound ${name} is declared twice`,
		why: "a post is known by the name in its path alone",
		next: "give one of them another name",
	});
