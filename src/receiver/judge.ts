// Decides what a request is, step by step in the order of product.md (Receiving). Pure: no socket, no disk, no clock.
import {
	type HeaderPair,
	headerValues,
	WEBHOOK_HEADERS,
} from "../protocol/index.ts";
import { tellVerdict, type Verdict, verifyDelivery } from "../signing/index.ts";
import { type ReceivedContent, readContent } from "./content.ts";
import { type Refusal, refuse } from "./refusal.ts";
import type { Registration, Route } from "./route.ts";

export interface RequestHead {
	method: string;
	/** As it stands in the request line. */
	target: string;
	headers: readonly HeaderPair[];
}

export interface Accepted {
	kind: "handshake" | "delivery";
	route: Route;
	registration: Registration;
	/** Undefined where a route expects anything and the header is not there. */
	subscriptionId: string | undefined;
	content: ReceivedContent;
	verdict: Verdict;
	/** What tells a repetition: the same key has been here before. */
	key: string;
	/** What was odd in the body. */
	notes: string[];
}

/** The first steps, which need no body: path, method, and the size that the sender declares. */
export function judgeHead(
	head: RequestHead,
	{
		routes,
		limitBytes,
	}: { routes: ReadonlyMap<string, Route>; limitBytes: number },
): Refusal | { kind: "read-body"; route: Route } {
	const path = pathOf(head.target);
	const route = routes.get(path);
	if (!route) return refuse("unknown-path", `nothing is received at ${path}`);
	if (head.method !== "POST")
		return refuse("wrong-method", `${head.method} in place of POST`, { route });
	const [length] = headerValues(head.headers, "content-length");
	if (length !== undefined && Number(length) > limitBytes)
		return refuse(
			"too-large",
			`${length} bytes are declared, ${limitBytes} are taken`,
			{ route },
		);
	return { kind: "read-body", route };
}

/** The path of a request's target: a sender may add a query to the URL that it was given. */
export function pathOf(target: string): string {
	const query = target.indexOf("?");
	return query < 0 ? target : target.slice(0, query);
}

export interface DeliveryToJudge {
	headers: readonly HeaderPair[];
	/** The bytes as they came. */
	body: Buffer;
	route: Route;
	nowMs: number;
	toleranceSeconds?: number;
}

/** The steps from the headers to the subscription. What is accepted has still to be told from a repetition, and stored. */
export function judgeDelivery(delivery: DeliveryToJudge): Refusal | Accepted {
	const { headers, route } = delivery;
	const unfit = judgeContentType(delivery) ?? judgeSubscriptionHeader(delivery);
	if (unfit) return unfit;
	const [subscriptionId] = headerValues(
		headers,
		WEBHOOK_HEADERS.subscriptionId,
	);
	const { verdict, registration } = judgeSignature(delivery, subscriptionId);
	if (verdict.kind !== "valid" || !registration) {
		const reason = verdict.kind === "valid" ? "no-match" : verdict.kind;
		return refuse(reason, tellVerdict(verdict), { route, verdict });
	}
	const read = readContent(delivery);
	if (typeof read === "string")
		return refuse("not-ours", read, { route, verdict });
	const { content, notes } = read;
	// Written out: each delivery comes by here, and objects that are spread into one another cost as much as a signature.
	const accept = (kind: Accepted["kind"], key: string): Accepted => ({
		kind,
		route,
		registration,
		subscriptionId,
		content,
		verdict,
		key,
		notes,
	});
	// With another id than the one we know, too: it was signed with this registration's secret, and a server that has lost
	// the subscription may give it a new one. What the subscribe response says counts.
	if (content.kind === "verification") return accept("handshake", "");
	if (
		route.expects === "events" &&
		registration.subscriptionId !== subscriptionId
	)
		return refuse(
			"unknown-subscription",
			`no subscription of ours has the id ${JSON.stringify(subscriptionId)} yet`,
			{ route, verdict },
		);
	const key = keyOf({ route, subscriptionId, content }, headers);
	return accept("delivery", key);
}

function judgeContentType({
	headers,
	route,
}: DeliveryToJudge): Refusal | undefined {
	const types = headerValues(headers, "content-type");
	const [type = "none"] = types;
	if (
		types.length !== 1 ||
		!/^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i.test(type)
	)
		return refuse(
			"not-json-type",
			`the content type is ${JSON.stringify(types.join(", ") || "none")}`,
			{ route },
		);
	const [encoding = "identity"] = headerValues(headers, "content-encoding");
	if (encoding.toLowerCase() !== "identity")
		return refuse(
			"encoded",
			`the content encoding is ${JSON.stringify(encoding)}`,
			{ route },
		);
	return undefined;
}

function judgeSubscriptionHeader({
	headers,
	route,
}: DeliveryToJudge): Refusal | undefined {
	const header = WEBHOOK_HEADERS.subscriptionId;
	const values = headerValues(headers, header);
	if (values.length > 1)
		return refuse(
			"malformed-header",
			`${header} was sent ${values.length} times`,
			{ route },
		);
	if (values[0] === "")
		return refuse("malformed-header", `${header} is empty`, { route });
	if (values.length === 0 && route.expects === "events")
		return refuse("missing-header", `${header} is missing`, { route });
	return undefined;
}

/**
 * The registration whose secret fits. A known id is checked with its own secrets alone. An unknown one may be a
 * handshake or come before the subscribe response: those without an id go first, then all others, so that a
 * signature of ours is never called a stranger's.
 */
function judgeSignature(
	{ headers, body, route, nowMs, toleranceSeconds }: DeliveryToJudge,
	subscriptionId: string | undefined,
): { verdict: Verdict; registration: Registration | undefined } {
	const verify = ({
		secrets,
		publicKeys = [],
	}: Omit<Registration, "label" | "subscriptionId">) =>
		verifyDelivery({
			headers,
			body,
			secrets,
			publicKeys,
			nowMs,
			toleranceSeconds,
		});
	let last: Verdict | undefined;
	for (const registration of candidatesOf(route, subscriptionId)) {
		const verdict = verify(registration);
		if ("label" in verdict) return { verdict, registration };
		last = verdict;
	}
	return { verdict: last ?? verify({ secrets: [] }), registration: undefined };
}

function candidatesOf(
	{ registrations }: Route,
	subscriptionId: string | undefined,
): readonly Registration[] {
	if (registrations.length < 2) return registrations;
	const known = registrations.filter(
		(one) =>
			subscriptionId !== undefined && one.subscriptionId === subscriptionId,
	);
	if (known.length > 0) return known;
	const isBound = (one: Registration) => one.subscriptionId !== undefined;
	return [
		...registrations.filter((one) => !isBound(one)),
		...registrations.filter(isBound),
	];
}

/** A line end parts its fields: neither a path nor a header can hold one. */
function keyOf(
	{
		route,
		subscriptionId,
		content,
	}: Pick<Accepted, "route" | "subscriptionId" | "content">,
	headers: readonly HeaderPair[],
): string {
	const from = subscriptionId ?? route.path;
	return content.kind === "event"
		? `${from}\nevent\n${content.occurrence.eventId}`
		: `${from}\nmessage\n${headerValues(headers, WEBHOOK_HEADERS.id).join("\n")}`;
}
