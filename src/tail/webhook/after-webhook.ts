// How a webhook subscription goes on after a fault, after the server has ended it, and when its callback has moved.
import { Fault } from "../../faults/index.ts";
import { findEventTypes, unsubscribeWebhook } from "../../session/index.ts";
import {
	isBroken,
	isCursorSuspect,
	isShutOut,
	retryDelayMs,
} from "../retry.ts";
import { terminatedFault } from "../terminated-fault.ts";
import {
	aboutWebhook,
	type Call,
	type Keeping,
	remember,
	type Step,
} from "./webhook-follow.ts";

/** How long an old callback may take to be unsubscribed when the address has moved. */
const LEAVE_OLD_MS = 5_000;

/** Does what a call asks for, and says how to go on. */
export async function answerCall(call: Call, keeping: Keeping): Promise<Step> {
	const { follow, course, shared } = keeping;
	course.isNews = true;
	if (call.kind === "moved") {
		course.isLive = false;
		await moveTo(call.url, keeping);
		return { kind: "again" };
	}
	follow.mayExist = false;
	course.isLive = false;
	follow.registration.subscriptionId = undefined;
	await remember(follow.memory.saveEnd(), follow);
	const fault = terminatedFault(call.error, follow.subscription.label);
	if (!RESUBSCRIBED.has(call.error.name)) return { kind: "stop", fault };
	const refusal = await listAgain(keeping);
	if (refusal) return { kind: "stop", fault: refusal };
	course.failures++;
	return waitFor(fault, { shared, course, follow });
}

/** The endings after which a subscription may be had again (events.md 7). A suspension may end one, too. */
const RESUBSCRIBED: ReadonlySet<string> = new Set([
	"NotFound",
	"Unsupported",
	"CallbackEndpointError",
]);

/** The fault that keeps the event from being subscribed to, by what the server lists now. */
async function listAgain({
	session,
	follow,
	shared,
}: Keeping): Promise<Fault | undefined> {
	const { name } = follow.subscription;
	const { signal } = shared.pieces;
	try {
		const [type] = await findEventTypes(session, [name], {
			signal,
			odd: follow.odd,
		});
		if (!type || type.delivery.includes("webhook")) return undefined;
		return new Fault("mode-not-offered", {
			what: `the server no longer offers ${name} by webhook`,
			why: `events/list reports delivery [${type.delivery.join(", ")}]`,
		});
	} catch (error) {
		if (signal.aborted) return undefined;
		if (!(error instanceof Fault)) throw error;
		// What keeps us from listing for the moment does not tell that the type is gone.
		return error.isTransient ? undefined : error;
	}
}

async function moveTo(
	url: string,
	{ session, follow, shared }: Keeping,
): Promise<void> {
	const { outbox, pieces } = shared;
	const { name, arguments: args } = follow.subscription;
	const key = { name, arguments: args, url: follow.url };
	const options = { signal: pieces.signal, timeoutMs: LEAVE_OLD_MS };
	try {
		if (follow.mayExist) await unsubscribeWebhook(session, key, options);
	} catch (error) {
		if (!(error instanceof Fault) && !pieces.signal.aborted) throw error;
		if (error instanceof Fault)
			pieces.warn(
				`${follow.subscription.label}: the old callback could not be unsubscribed: ${error.what}`,
			);
	}
	follow.url = url;
	follow.registration.subscriptionId = undefined;
	const why = `the callback has moved to ${url}`;
	const head = aboutWebhook(follow, pieces.now());
	outbox.put({ items: [{ ...head, kind: "mode", why }], follow });
}

/** Decides between giving up, trying a null cursor, and asking again after a while. */
export async function afterFault(
	fault: Fault,
	keeping: Keeping,
): Promise<Step> {
	const { follow, shared, course } = keeping;
	const { position } = follow;
	// The handshake may have bound an id to a subscription that did not come about.
	if (!course.isLive) follow.registration.subscriptionId = undefined;
	const call = follow.bell.isRinging
		? await follow.bell.wait(0, shared.pieces)
		: undefined;
	if (call) return answerCall(call, keeping);
	if (isCursorSuspect(fault)) {
		if (course.rejected) return { kind: "stop", fault: course.rejected };
		if (position.cursor !== undefined) {
			course.rejected = fault;
			return { kind: "again" };
		}
	}
	course.failures++;
	course.isNews = true;
	const last = { kind: "stop", fault } as const;
	if (fault.isTransient) {
		const isUsedUp =
			!course.hasWorked && course.failures >= shared.retry.connectTries;
		return isUsedUp ? last : waitFor(fault, keeping);
	}
	const isRefused = fault.code === "callback-refused";
	if (isRefused && !course.hasWorked && course.failures < shared.callbackTries)
		return waitFor(fault, keeping);
	if (!course.hasWorked || isShutOut(fault)) return last;
	if (isRefused) return waitFor(fault, keeping);
	if (isBroken(fault) && ++course.broken < shared.retry.brokenTries)
		return waitFor(fault, keeping);
	if (fault.code !== "event-unknown" && fault.code !== "mode-not-offered")
		return last;
	const refusal = await listAgain(keeping);
	return refusal ? { kind: "stop", fault: refusal } : waitFor(fault, keeping);
}

/** Tells that it is tried again, and after how long. */
function waitFor(
	fault: Fault,
	{ shared, course, follow }: Pick<Keeping, "shared" | "course" | "follow">,
): Step {
	const { retry, pieces, outbox } = shared;
	const { failures } = course;
	const delayMs = retryDelayMs(failures, { retry, fault }, pieces.random);
	const head = aboutWebhook(follow, pieces.now());
	const why = fault.what;
	outbox.put({
		items: [{ ...head, kind: "reconnecting", fault, why, delayMs }],
		follow,
	});
	return { kind: "wait", delayMs };
}
