import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { HeaderPair } from "../../src/protocol/index.ts";
import { judgeDelivery, judgeHead } from "../../src/receiver/judge.ts";
import { parseSecret } from "../../src/signing/index.ts";
import {
	eventBody,
	makeRoute,
	NOW_MS,
	OTHER_TEXT,
	PATH,
	SECRET_TEXT,
	type Sending,
	signedHeaders,
} from "../fixtures/deliveries.ts";

interface Judged extends Sending {
	route?: ReturnType<typeof makeRoute>;
	headers?: HeaderPair[];
	bytes?: Buffer;
	nowMs?: number;
}

function judge({
	route = makeRoute(),
	headers,
	bytes,
	nowMs = NOW_MS,
	...sending
}: Judged = {}) {
	const body = bytes ?? Buffer.from(sending.body ?? eventBody());
	return judgeDelivery({
		headers: headers ?? signedHeaders(sending),
		body,
		route,
		nowMs,
	});
}

const without = (name: string) =>
	signedHeaders().filter(([key]) => key.toLowerCase() !== name);
const withHeader = (name: string, value: string): HeaderPair[] => [
	...without(name.toLowerCase()),
	[name, value],
];

function signRaw(body: Buffer): HeaderPair[] {
	const key = Buffer.from(SECRET_TEXT.slice(6), "base64");
	const mac = createHmac("sha256", key)
		.update("msg_1.1700000000.")
		.update(body)
		.digest("base64");
	return withHeader("webhook-signature", `v1,${mac}`);
}

describe("the head of a request", () => {
	const routes = new Map([[PATH, makeRoute()]]);
	const head = { method: "POST", target: PATH, headers: [] as HeaderPair[] };

	it.each([
		["another path", { target: "/hooks/ab" }, "unknown-path"],
		["another path and method", { target: "/", method: "GET" }, "unknown-path"],
		["a longer path", { target: `${PATH}/` }, "unknown-path"],
		["GET", { method: "GET" }, "wrong-method"],
		[
			"PUT, though it is too large",
			{ method: "PUT", headers: [["content-length", "999"]] as HeaderPair[] },
			"wrong-method",
		],
		[
			"a body declared too large",
			{ headers: [["Content-Length", "11"]] as HeaderPair[] },
			"too-large",
		],
	])("is refused for %s", (_, change, reason) => {
		expect(
			judgeHead({ ...head, ...change }, { routes, limitBytes: 10 }),
		).toMatchObject({ kind: "refused", reason });
	});

	it.each([
		{},
		{ target: `${PATH}?key=1` },
		{ headers: [["Content-Length", "10"]] as HeaderPair[] },
	])("is read on with %j", (change) => {
		expect(
			judgeHead({ ...head, ...change }, { routes, limitBytes: 10 }).kind,
		).toBe("read-body");
	});
});

describe("a delivery", () => {
	it("of an event is accepted with what it says", () => {
		expect(judge()).toMatchObject({
			kind: "delivery",
			subscriptionId: "sub_1",
			verdict: { kind: "valid" },
			content: {
				kind: "event",
				occurrence: { eventId: "evt_1", cursor: "c1" },
			},
		});
	});

	it.each<[string, string, Judged]>([
		["no content type", "not-json-type", { headers: without("content-type") }],
		[
			"a form",
			"not-json-type",
			{
				headers: withHeader(
					"content-type",
					"application/x-www-form-urlencoded",
				),
			},
		],
		[
			"text that only begins like JSON's type",
			"not-json-type",
			{ headers: withHeader("content-type", "application/jsonp") },
		],
		[
			"a packed body",
			"encoded",
			{ headers: withHeader("content-encoding", "gzip") },
		],
		["no subscription id", "missing-header", { subscriptionId: null }],
		[
			"two subscription ids",
			"malformed-header",
			{ headers: [...signedHeaders(), ["x-mcp-subscription-id", "sub_1"]] },
		],
		["no webhook-id", "missing-header", { headers: without("webhook-id") }],
		[
			"a timestamp that is no number",
			"malformed-timestamp",
			{ headers: withHeader("webhook-timestamp", "today") },
		],
		["another's signature", "no-match", { secretText: OTHER_TEXT }],
		[
			"another's signature, and old",
			"no-match",
			{ secretText: OTHER_TEXT, nowMs: NOW_MS + 999_000 },
		],
		[
			"no signature that we check",
			"no-known-version",
			{ headers: withHeader("webhook-signature", "v2,x") },
		],
		[
			"an old timestamp, though the body is no JSON",
			"too-old",
			{ body: "{", nowMs: NOW_MS + 301_000 },
		],
		["a timestamp ahead of us", "too-new", { nowMs: NOW_MS - 301_000 }],
		["a signed body that is no JSON", "not-ours", { body: "hello" }],
		[
			"a signed body that is no UTF-8",
			"not-ours",
			{ bytes: Buffer.from([0xff]), headers: signRaw(Buffer.from([0xff])) },
		],
		["signed JSON that is no event", "not-ours", { body: '{"a":1}' }],
		[
			"signed JSON that is nested without end",
			"not-ours",
			{ body: "[".repeat(100_000) + "]".repeat(100_000) },
		],
		[
			"an event for an id that we do not know yet",
			"unknown-subscription",
			{ subscriptionId: "sub_9" },
		],
		[
			"an event before the id is known",
			"unknown-subscription",
			{ route: makeRoute({ subscriptionId: undefined }) },
		],
		[
			"an event for an unknown id with a stranger's secret",
			"no-match",
			{ subscriptionId: "sub_9", secretText: OTHER_TEXT },
		],
	])("is refused for %s: %s", (_, reason, judged) => {
		expect(judge(judged)).toMatchObject({ kind: "refused", reason });
	});

	it.each([
		"application/json; charset=utf-8",
		"Application/JSON",
		"application/cloudevents+json",
	])("may call its type %s", (type) => {
		expect(judge({ headers: withHeader("content-type", type) }).kind).toBe(
			"delivery",
		);
	});

	it("of a handshake is one when a registration without an id has its secret", () => {
		const route = makeRoute({ subscriptionId: undefined });
		const body = '{"type":"verification","challenge":"n"}';
		expect(judge({ body, route, subscriptionId: "sub_new" })).toMatchObject({
			kind: "handshake",
			subscriptionId: "sub_new",
			content: { challenge: "n" },
		});
		expect(judge({ body, route, secretText: OTHER_TEXT })).toMatchObject({
			reason: "no-match",
		});
	});

	it("of a handshake is one when it names a new id, as a server does that has lost the subscription", () => {
		const body = '{"type":"verification","challenge":"n"}';
		expect(judge({ body, subscriptionId: "sub_9" })).toMatchObject({
			kind: "handshake",
			registration: { subscriptionId: "sub_1" },
		});
		expect(
			judge({ body, subscriptionId: "sub_9", secretText: OTHER_TEXT }),
		).toMatchObject({ reason: "no-match" });
	});

	it("goes to the registration whose id or secret it names, among several at one path", () => {
		const [first] = makeRoute().registrations;
		const secrets = [{ label: "other", secret: parseSecret(OTHER_TEXT) }];
		const second = { label: "second", secrets, subscriptionId: undefined };
		const route = makeRoute(
			{},
			{ registrations: first ? [first, second] : [] },
		);
		const body = '{"type":"verification","challenge":"n"}';
		expect(judge({ route })).toMatchObject({
			registration: { label: "a.made" },
		});
		expect(
			judge({ route, body, secretText: OTHER_TEXT, subscriptionId: "sub_2" }),
		).toMatchObject({ kind: "handshake", registration: { label: "second" } });
		expect(
			judge({ route, secretText: OTHER_TEXT, subscriptionId: "sub_1" }),
		).toMatchObject({ reason: "no-match" });
	});

	it("repeats another one by its eventId, or by its webhook-id where it has none", () => {
		const key = (sending: Judged) => {
			const judged = judge(sending);
			return judged.kind === "refused" ? judged.reason : judged.key;
		};
		const gap = '{"type":"gap","cursor":"c"}';
		expect(key({ id: "msg_2" })).toBe(key({ id: "msg_1" }));
		expect(key({ body: eventBody("evt_2") })).not.toBe(key({}));
		expect(key({ body: gap })).not.toBe(key({ body: gap, id: "msg_2" }));
		expect(key({ body: gap, id: "evt_1" })).not.toBe(key({}));
	});
});

describe("where anything is expected", () => {
	const route = makeRoute(
		{ subscriptionId: undefined },
		{ expects: "anything" },
	);

	it.each([
		[eventBody(), null, "event"],
		['{"type":"invoice.paid","data":{}}', null, "message"],
		["[1]", null, "message"],
		['{"type":"gap","cursor":"c"}', null, "message"],
		['{"type":"gap","cursor":"c"}', "sub_3", "gap"],
		['{"type":"news"}', "sub_3", "unknown"],
	])(
		"%s with subscription id %s is taken as %s",
		(body, subscriptionId, kind) => {
			expect(judge({ route, body, subscriptionId })).toMatchObject({
				kind: "delivery",
				content: { kind },
			});
		},
	);

	it("a handshake is answered, and what is no JSON is refused", () => {
		expect(
			judge({
				route,
				body: '{"type":"verification","challenge":"n"}',
				subscriptionId: null,
			}).kind,
		).toBe("handshake");
		expect(judge({ route, body: "hello" })).toMatchObject({
			reason: "not-ours",
		});
	});
});
