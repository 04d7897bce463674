// Who may come in, in this order: pages of other origins and re-bound names stay out, then who calls too often, then who
// brings no token. Nothing else is said before.
import type { Clock } from "../clock.ts";
import { hasBearer, type Principals } from "../principals.ts";
import { Refusal } from "../refusal.ts";
import type { Exchange } from "./exchange.ts";
import { type GuardOptions, reasonToRefuse } from "./guard.ts";
import { callerAt, createRateLimit } from "./rate-limit.ts";

export interface AdmissionOptions {
	guard: GuardOptions;
	principals: Principals;
	clock: Clock;
	/** Calls a second of one caller; 0 for any number. */
	rateLimit: number;
}

export interface Identity {
	/** undefined where the server knows no tokens. */
	principal: string | undefined;
	/** Whom limits count for: the principal, or else the address. */
	limitKey: string;
}

export interface Admission {
	/** Refuses (403) a page or a name that may not call. */
	checkPlace(exchange: Exchange): void;
	/** Refuses (429) a caller in a hurry, by address alone. */
	checkRate(exchange: Exchange): void;
	/** Refuses (429) a caller in a hurry, and (401, with a challenge) one without a token that is known. */
	identify(exchange: Exchange): Identity;
}

export function createAdmission(options: AdmissionOptions): Admission {
	const { guard, principals, clock, rateLimit } = options;
	const limit =
		rateLimit > 0
			? createRateLimit({
					clock,
					perSecond: rateLimit,
					burst: Math.max(1, 2 * rateLimit),
				})
			: undefined;

	function take(key: string, { response }: Exchange) {
		const waitMs = limit?.take(key) ?? 0;
		if (waitMs === 0) return;
		response.setHeader("retry-after", String(Math.ceil(waitMs / 1_000)));
		throw new Refusal("ResourceExhausted", "too many requests", {
			data: { limit: "requests", retryAfterMs: waitMs },
			httpStatus: 429,
		});
	}

	return {
		checkPlace({ request }) {
			const reason = reasonToRefuse(request.headers, guard);
			if (reason)
				throw new Refusal("InvalidRequest", reason, { httpStatus: 403 });
		},
		checkRate: (exchange) => take(addressKey(exchange), exchange),
		identify(exchange) {
			const { authorization } = exchange.request.headers;
			const principal = principals.of(authorization);
			const limitKey =
				principal === undefined
					? addressKey(exchange)
					: `principal ${principal}`;
			take(limitKey, exchange);
			if (principal === undefined && principals.areKnown)
				throw challenge(exchange, hasBearer(authorization));
			return { principal, limitKey };
		},
	};
}

const addressKey = ({ request }: Exchange) =>
	`address ${callerAt(request.socket.remoteAddress)}`;

/** RFC 6750 3: no error code for a caller that brought nothing. */
function challenge({ response }: Exchange, wasSent: boolean): Refusal {
	const error = wasSent
		? ', error="invalid_token", error_description="the token is not known here"'
		: "";
	response.setHeader("www-authenticate", `Bearer realm="mcp-events"${error}`);
	return new Refusal("InvalidRequest", "a bearer token is needed", {
		httpStatus: 401,
	});
}
