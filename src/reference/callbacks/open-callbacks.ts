// Puts the parts together: what may be called, whose consent there is, and the one way by which anything goes out.
import { invalidParams, Refusal } from "../refusal.ts";
import { makeAddressRule } from "./address-rule.ts";
import { parsePattern } from "./allow-patterns.ts";
import { CallFailure } from "./call-failure.ts";
import { parseCallbackUrl } from "./callback-url.ts";
import type {
	CallbackOptions,
	CallbackPost,
	Callbacks,
	ConsentRequest,
	PostAnswer,
} from "./callbacks.ts";
import { Consents, consentKey } from "./consents.ts";
import { openTcp } from "./dial.ts";
import { type GuardedPath, openGuardedPath } from "./exchange.ts";
import { type Guard, makeGuard } from "./guard.ts";
import { shakeHands } from "./handshake.ts";
import { makeHandshakeLimit } from "./handshake-limit.ts";
import { openNames } from "./names.ts";
import { openReceiverDocuments } from "./receiver-documents.ts";
import { shareByKey } from "./share-by-key.ts";
import { makeTrust } from "./trust.ts";

const DEADLINE_MS = 5_000;
const CONSENT_MS = 24 * 3_600_000;
const HANDSHAKES_PER_MINUTE = 300;
/** A short answer is read to its end, so that its connection can be used again; a longer one costs the connection. */
const IGNORED_BYTES = 4 * 1024;

/** Opens the way out; nothing is dialled yet. Throws `wrong-use` for a pattern, a block or a CA that cannot be read. */
export function openCallbacks(options: CallbackOptions): Callbacks {
	const { clock, randomBytes, deadlineMs = DEADLINE_MS } = options;
	const freed = new Set<string>();
	const patterns = (options.allowCallbacks ?? []).map(parsePattern);
	const isAllowed = makeAddressRule(options.allowPrivateCidrs ?? []);
	const trust = makeTrust(options.ca);
	const names = openNames(options.resolver);
	const guard = makeGuard({ names, isAllowed, freed, clock, deadlineMs });
	const path = openGuardedPath({
		clock,
		trust,
		guard,
		deadlineMs,
		openTcp: options.dial ?? openTcp,
	});
	const parse = (text: string) =>
		parseCallbackUrl(text, (origin) => freed.has(origin));
	const isKnown = (url: URL) => patterns.some((matches) => matches(url));
	const consent = openConsent({ ...options, path, randomBytes, guard });

	return {
		async check(text) {
			const url = parse(text);
			const { kind } = await guard.judge(url);
			// Of a name that does not exist and one that leads inside, a client hears the same.
			const isUnknown = kind === "no-such-name" && !isKnown(url);
			if (kind === "forbidden" || isUnknown)
				throw invalidParams("delivery.url has a host that may not be called");
		},
		async verify(request) {
			const url = parse(request.url);
			if (!isKnown(url)) await consent.ask(request, url);
		},
		post: (request) => post(path, request, parse),
		allowOrigin(origin) {
			if (!URL.canParse(origin))
				throw invalidParams("origin is no scheme, host and port");
			freed.add(new URL(origin).origin);
		},
		verifications: () => consent.given.inForce(),
		restore: (verifications) => consent.given.restore(verifications),
		async close() {
			path.close();
			names.close();
		},
	};
}

function openConsent(
	world: CallbackOptions & { path: GuardedPath; guard: Guard },
) {
	const { clock, path, guard } = world;
	const given = new Consents(clock, world.consentMs ?? CONSENT_MS);
	const most = world.handshakesPerMinute ?? HANDSHAKES_PER_MINUTE;
	const countHandshake = makeHandshakeLimit({ clock, guard, most });
	const documents = openReceiverDocuments({
		path,
		clock,
		countFetch: makeHandshakeLimit({ clock, guard, most }),
	});
	const share = shareByKey<void>();

	async function find(request: ConsentRequest, url: URL): Promise<void> {
		if (!(await documents.cover(url))) {
			await countHandshake(url);
			await shakeHands(world, { ...request, url });
		}
		given.add(request.principal, request.url);
	}

	return {
		given,
		async ask(request: ConsentRequest, url: URL): Promise<void> {
			const { principal, url: text } = request;
			if (given.has(principal, text) && !request.manners?.asksAgain?.()) return;
			try {
				await share(consentKey(principal, text), () => find(request, url));
			} catch (error) {
				if (!(error instanceof CallFailure)) throw error;
				throw new Refusal(
					"CallbackEndpointError",
					`the callback endpoint did not show its consent: ${error.reason}`,
					{ data: { reason: error.reason } },
				);
			}
		},
	};
}

async function post(
	path: GuardedPath,
	{ url, headers, body, signal }: CallbackPost,
	parse: (text: string) => URL,
): Promise<PostAnswer> {
	try {
		const { status } = await path.exchange({
			url: parse(url),
			method: "POST",
			headers,
			body,
			bodyLimitBytes: IGNORED_BYTES,
			keepAlive: true,
			signal,
		});
		return { kind: "answered", status };
	} catch (error) {
		if (error instanceof CallFailure)
			return { kind: "failed", reason: error.reason };
		// A URL that was fit when it was subscribed, by a control of a run before this one.
		if (error instanceof Refusal)
			return { kind: "failed", reason: "connection_refused" };
		throw error;
	}
}
