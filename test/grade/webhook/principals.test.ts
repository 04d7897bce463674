// Whom a server lets in: every way of refusing, and of telling two principals apart, by a server that is bent for it.
import { describe, expect, it } from "vitest";
import {
	type Bend,
	both,
	controls,
	FORBIDDEN,
	FULL,
	failure,
	gradeBent,
	INVALID,
	NOT_FOUND,
	on,
	onSubscribe,
	onUnsubscribe,
	success,
} from "./bent-double.ts";
import { authorization } from "./webhook-server.ts";

const right: Bend = (_asked, answer) => answer();
const isNobody = ({ authorization }: Parameters<Bend>[0]) => !authorization;
const isBob = ({ authorization: own }: Parameters<Bend>[0]) =>
	own === authorization("bob")[1];
const toNobody = (answer: unknown) => (asked: Parameters<Bend>[0]) =>
	isNobody(asked) ? answer : undefined;
const shut = (subscribe: unknown, unsubscribe = subscribe) =>
	both(onSubscribe(toNobody(subscribe)), onUnsubscribe(toNobody(unsubscribe)));

describe("a caller without the credential", () => {
	const ROW = "subscribe-auth-required";
	it.concurrent.each<[string, Bend, string]>([
		["may subscribe", right, "FAILURE"],
		["is forbidden", shut(FORBIDDEN), "SUCCESS"],
		["is refused with HTTP 401", shut({ status: 401 }), "SUCCESS"],
		["is refused with HTTP 403", shut({ status: 403 }), "SUCCESS"],
		["is refused as if it were wrong", shut(INVALID), "WARNING"],
		["gets nothing that could be read", shut({ status: 500 }), "WARNING"],
		["may end what it may not begin", shut(FORBIDDEN, success()), "FAILURE"],
		["is told of no subscription", shut(FORBIDDEN, NOT_FOUND), "WARNING"],
	])("%s", async (_what, bend, verdict) => {
		expect(await gradeBent(ROW, bend)).toMatch(new RegExp(`^${verdict} `));
	});

	it("can be tried where the credential is a bearer alone", async () => {
		const found = await gradeBent(ROW, shut(FORBIDDEN), {
			headers: [],
			bearer: "alice-token",
		});
		expect(found).toMatch(/^SUCCESS /);
	});

	it("cannot be tried where there is no credential", async () => {
		const found = await gradeBent(ROW, right, { headers: [] });
		expect(found).toMatch(/^UNTESTABLE /);
	});
});

const listing = (events: unknown) =>
	on("events/list", toNobody(success({ events })));

describe("a list for a caller without the credential", () => {
	const ROW = "webhook-needs-principals";
	const LISTED = /^SUCCESS .*webhook is listed without a credential, and/;
	const UNLISTED = /^SUCCESS .*no webhook is listed/;
	it.concurrent.each<[string, Bend, RegExp]>([
		["shows webhook, which it is refused", shut(FORBIDDEN), LISTED],
		["shows webhook, which it may have", right, /^UNTESTABLE /],
		["is refused", on("events/list", toNobody(FORBIDDEN)), UNLISTED],
		["is no list", listing({}), UNLISTED],
		["is empty", listing([]), UNLISTED],
		["has what is no type", listing(["webhook", null]), UNLISTED],
		["has words for modes", listing([{ delivery: "webhook" }]), UNLISTED],
		["shows other modes", listing([{ delivery: ["poll"] }]), UNLISTED],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent(ROW, bend)).toMatch(told);
	});

	it.concurrent.each<[string, Bend, RegExp]>([
		["shows webhook, which it is refused", shut(FORBIDDEN), LISTED],
		["shows webhook, which it may have", right, /^FAILURE /],
	])("%s, where there is none at all", async (_what, bend, told) => {
		expect(await gradeBent(ROW, bend, { headers: [] })).toMatch(told);
	});

	it.each([
		["a query", (url: string) => `${url}?key=1`],
		["a name", (url: string) => url.replace("//", "//alice@")],
		["a password", (url: string) => url.replace("//", "//:secret@")],
	])("is not judged where the URL has %s", async (_what, urlOf) => {
		const found = await gradeBent(ROW, right, { headers: [], urlOf });
		expect(found).toContain("what is in the URL may be the principal");
	});

	it("asks for nothing that it does not give back", async () => {
		const left = new Set<string>();
		const count: Bend = ({ method, params, authorization }, answer) => {
			const key = `${authorization} ${params.delivery?.url}`;
			if (method === "events/subscribe") left.add(key);
			if (method === "events/unsubscribe") left.delete(key);
			return answer();
		};
		await gradeBent(ROW, count);
		expect([...left]).toEqual([]);
	});
});

const idsBy = (tell: (asked: Parameters<Bend>[0], id: string) => unknown) =>
	onSubscribe((asked, answer) => {
		const message = answer();
		if (message.result) message.result.id = tell(asked, message.result.id);
		return message;
	});
const ownIds = idsBy((asked, id) => (isBob(asked) ? `${id}-bob` : id));
const ending = (alice: unknown, bob: unknown) =>
	onUnsubscribe((asked) => (isBob(asked) ? bob : alice));
/** The main subscription is the first; what comes after it is refused. */
const afterFirst = (taken: number, answer: unknown) => {
	let count = 0;
	return onSubscribe(({ params }, next) => {
		const isOurs = !params.delivery.url.startsWith("https:");
		return !isOurs && count++ >= taken ? answer : next();
	});
};

const ISOLATION = "subscribe-cross-tenant-isolation";

describe("a second principal", () => {
	it.concurrent.each<[string, Bend, string]>([
		["has the same id", right, "FAILURE"],
		["loses what is the first's", ownIds, "FAILURE"],
		["keeps its own", both(ownIds, ending(success(), success())), "SUCCESS"],
		[
			"has lost it where the first had none to end",
			both(ownIds, ending(NOT_FOUND, NOT_FOUND)),
			"SUCCESS",
		],
		[
			"cannot end it for another reason",
			both(ownIds, ending(success(), INVALID)),
			"SUCCESS",
		],
		["has no id", idsBy((asked) => (isBob(asked) ? 1 : "a")), "UNTESTABLE"],
		["has one beside none", idsBy((a) => (isBob(a) ? "a" : 1)), "UNTESTABLE"],
	])("%s", async (_what, bend, verdict) => {
		const secondHeaders = [authorization("bob")];
		const found = await gradeBent(ISOLATION, bend, { secondHeaders });
		expect(found).toMatch(new RegExp(`^${verdict} `));
	});

	it.concurrent.each<[string, () => Bend, string]>([
		[
			"may not subscribe",
			() => onSubscribe((asked) => (isBob(asked) && FORBIDDEN) || undefined),
			"events_conformance_subscribe_as",
		],
		[
			"comes where the first may not",
			() => afterFirst(1, FULL),
			"--public-url",
		],
	])("is not compared where it %s", async (_what, bend, told) => {
		const secondHeaders = [authorization("bob")];
		const found = await gradeBent(ISOLATION, bend(), { secondHeaders });
		expect(found).toMatch(/^UNTESTABLE /);
		expect(found).toContain(told);
	});
});

const others = (id: string | undefined, exists: string | undefined) =>
	controls({ subscribe_as: () => id, subscription_exists: () => exists });

describe("a principal that the controls make up", () => {
	it.concurrent.each<[string, () => Bend, string]>([
		["keeps its own", () => others("theirs", "true\n"), "SUCCESS"],
		["loses what is ours", () => others("theirs", "false"), "FAILURE"],
		[
			"has our id",
			() =>
				both(
					others(" ours ", "true"),
					idsBy(() => "ours"),
				),
			"FAILURE",
		],
		[
			"is compared with no id",
			() =>
				both(
					others("theirs", "true"),
					idsBy(() => 1),
				),
			"UNTESTABLE",
		],
		["cannot be made up", () => others(undefined, "true"), "UNTESTABLE"],
		["cannot be asked for", () => others("theirs", undefined), "UNTESTABLE"],
		[
			"is asked for after we could not end ours",
			() =>
				both(
					others("theirs", "true"),
					onUnsubscribe(() => failure(-32603)),
				),
			"UNTESTABLE",
		],
		[
			"comes where we may not",
			() => both(others("theirs", "true"), afterFirst(1, FULL)),
			"UNTESTABLE",
		],
	])("%s", async (_what, bend, verdict) => {
		const found = await gradeBent(ISOLATION, bend());
		expect(found).toMatch(new RegExp(`^${verdict} `));
	});
});
