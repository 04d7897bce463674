// What a server says on a refresh of how its deliveries to us have gone, in words for our user.
import type { WireErrorFacts } from "../../faults/index.ts";
import { type DeliveryStatus, SEP_CODES } from "../../protocol/index.ts";

/**
 * The trouble in a status, as an error that the subscription survives; undefined where all is well. `told` is the
 * status that was told last: the same trouble is no news.
 */
export function troubleIn(
	status: DeliveryStatus | undefined,
	told: DeliveryStatus | undefined,
): WireErrorFacts | undefined {
	if (!status || isAlike(status, told)) return undefined;
	const { active, lastError, failedSince, throttled, retryAfterMs } = status;
	if (!active || lastError) {
		const since =
			failedSince === undefined
				? ""
				: ` since ${new Date(failedSince).toISOString()}`;
		const why = lastError ? `: ${lastError}` : "";
		const what = active
			? "deliveries to us fail"
			: "deliveries to us were suspended until now";
		return error("CallbackEndpointError", `${what}${since}${why}`, status);
	}
	if (!throttled) return undefined;
	const wait = retryAfterMs === undefined ? "" : ` (${retryAfterMs} ms)`;
	return error(
		"ResourceExhausted",
		`deliveries to us are throttled${wait}: late, not lost`,
		status,
	);
}

function error(
	name: "CallbackEndpointError" | "ResourceExhausted",
	message: string,
	data: DeliveryStatus,
): WireErrorFacts {
	return { name, code: SEP_CODES[name], message, data };
}

function isAlike(one: DeliveryStatus, other: DeliveryStatus | undefined) {
	return (
		other !== undefined &&
		one.active === other.active &&
		one.lastError === other.lastError &&
		one.failedSince === other.failedSince &&
		one.throttled === other.throttled
	);
}
