import { describe, expect, it } from "vitest";
import { openInboundSource } from "../../../../src/reference/index.ts";
import { streamMessages, take } from "../../wire-client.ts";
import {
	byGithub,
	byStandard,
	byStripe,
	clock,
	NOW_SECONDS,
	openInbound,
	rawPost,
	WHSEC,
} from "./inbound-server.ts";

const KEY = "It's a Secret to Everybody";
const STRIPE_KEY = "whsec_test_secret";
const SIGNED = {
	name: "shop.sold",
	scheme: "standard-webhooks",
	secrets: [WHSEC],
} as const;
const GITHUB = { name: "repo", scheme: "github", secrets: [KEY] } as const;
const STRIPE = {
	name: "pay",
	scheme: "stripe",
	secrets: [STRIPE_KEY],
} as const;
const PLAIN = { name: "plain", scheme: "plain" } as const;

describe("a post signed by Standard Webhooks", () => {
	it("becomes an event with its webhook-id, its time, and its JSON as it was written", async () => {
		await using inbound = await openInbound(SIGNED);
		const body =
			'{"type":"sold","timestamp":"2026-01-02T03:04:05+01:00","data":{"n":1.0,"big":12345678901234567890}}';
		expect(await inbound.send(body, byStandard(body))).toEqual({
			status: 200,
			text: "",
		});
		const [event] = await inbound.poll();
		expect(event).toMatchObject({
			eventId: "msg_1",
			name: "shop.sold",
			timestamp: "2026-01-02T02:04:05.000Z",
		});
	});

	it("is streamed the moment that it is there, with not one byte changed", async () => {
		await using inbound = await openInbound(SIGNED);
		const messages = streamMessages(inbound.server.url, { name: "shop.sold" });
		await take(messages, 1);
		const body = '{ "a" : 1.0 }';
		await inbound.send(body, byStandard(body));
		const [{ params }] = await take(messages, 1);
		expect(params).toMatchObject({ eventId: "msg_1", data: { a: 1 } });
		await messages.return(undefined);
	});

	it.each([
		[
			"of another secret",
			byStandard("{}", {
				secret: `whsec_${Buffer.alloc(32, 9).toString("base64")}`,
			}),
			401,
		],
		["of another body", byStandard('{"a":1}'), 401],
		[
			"that is six minutes old",
			byStandard("{}", { seconds: NOW_SECONDS - 360 }),
			401,
		],
		[
			"that is six minutes ahead",
			byStandard("{}", { seconds: NOW_SECONDS + 360 }),
			401,
		],
		["that lacks its id", { ...byStandard("{}"), "webhook-id": "" }, 400],
		[
			"with a timestamp that is no number",
			{ ...byStandard("{}"), "webhook-timestamp": "now" },
			400,
		],
		["that is none", {}, 400],
		[
			"with an id too long to keep",
			byStandard("{}", { id: "x".repeat(300) }),
			400,
		],
	])(
		"with a signature %s is refused without a word, and is no event",
		async (_what, headers, status) => {
			await using inbound = await openInbound(SIGNED);
			expect(await inbound.send("{}", headers)).toEqual({ status, text: "" });
			expect(await inbound.poll()).toEqual([]);
		},
	);

	it("that is refused is told to the operator, who can mend it: not each time, and no secret", async () => {
		await using inbound = await openInbound(SIGNED);
		for (let count = 0; count < 3; count++)
			await inbound.send("{}", byStandard("[]"));
		await inbound.send("{}");
		expect(inbound.notes).toEqual([
			expect.stringContaining("no secret given here signed it"),
			expect.stringContaining("lacks what standard-webhooks brings"),
		]);
	});

	it("may use either secret while they change", async () => {
		const old = `whsec_${Buffer.alloc(24, 5).toString("base64")}`;
		const secrets = [WHSEC, `${old}\n`, ""];
		await using inbound = await openInbound({ ...SIGNED, secrets });
		for (const [id, secret] of [
			["1", WHSEC],
			["2", old],
		] as const)
			await inbound.send("{}", byStandard("{}", { id, secret }));
		expect((await inbound.poll()).map((event) => event.eventId)).toEqual([
			"1",
			"2",
		]);
	});

	it("that comes again is acknowledged again, and stays one event", async () => {
		await using inbound = await openInbound(SIGNED);
		const send = () => inbound.send("{}", byStandard("{}"));
		const answers = await Promise.all([send(), send(), send()]);
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect(await inbound.poll()).toHaveLength(1);
	});
});

describe("a post signed by GitHub", () => {
	it("is checked as GitHub's published example is", async () => {
		await using inbound = await openInbound(GITHUB);
		const headers = {
			"x-github-delivery": "guid",
			"x-github-event": "push",
			"x-hub-signature-256":
				"sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
		};
		// Signed well, and no JSON; with one letter changed it is not even that.
		expect((await inbound.send("Hello, World!", headers)).status).toBe(400);
		expect((await inbound.send("Hello, world!", headers)).status).toBe(401);
	});

	it("becomes an event with the delivery's id and kind, found by kind", async () => {
		await using inbound = await openInbound(GITHUB);
		const body = '{"ref":"refs/heads/main","n":1e400}';
		await inbound.send(body, byGithub(KEY, body));
		const star = '{"action":"created"}';
		await inbound.send(
			star,
			byGithub(KEY, star, { id: "guid-2", event: "star" }),
		);
		expect(await inbound.poll({ type: "star" })).toEqual([
			{
				eventId: "guid-2",
				name: "repo",
				timestamp: new Date(clock.now()).toISOString(),
				data: { event: "star", payload: { action: "created" } },
			},
		]);
		expect(await inbound.poll()).toHaveLength(2);
	});

	it("whose body came before under another id is a repetition, and the operator is told", async () => {
		await using inbound = await openInbound(GITHUB);
		for (const id of ["guid-1", "guid-1", "forged"])
			expect(
				(await inbound.send("{}", byGithub(KEY, "{}", { id }))).status,
			).toBe(200);
		expect(await inbound.poll()).toHaveLength(1);
		expect(inbound.notes).toEqual([
			expect.stringContaining("under another id"),
		]);
	});

	it.each([
		["SHA-1 alone", { "x-hub-signature": "sha1=00" }, 400],
		[
			"capitals in its digest",
			{ "x-hub-signature-256": `sha256=${"A".repeat(64)}` },
			400,
		],
		[
			"another key",
			{ "x-hub-signature-256": byGithub("other", "{}")["x-hub-signature-256"] },
			401,
		],
		[
			"a kind that is none",
			{ ...byGithub(KEY, "{}"), "x-github-event": 'a"b' },
			400,
		],
		["no id", { ...byGithub(KEY, "{}"), "x-github-delivery": "" }, 400],
	])("with %s is refused", async (_what, headers, status) => {
		await using inbound = await openInbound(GITHUB);
		const other = { "x-github-delivery": "g", "x-github-event": "push" };
		expect((await inbound.send("{}", { ...other, ...headers })).status).toBe(
			status,
		);
		expect(await inbound.poll()).toEqual([]);
	});
});

describe("a post signed by Stripe", () => {
	const body = '{"id":"evt_1","type":"charge.failed","created":1767323045}';

	it("becomes an event with its own id and time, once however often it is sent", async () => {
		await using inbound = await openInbound(STRIPE);
		for (const seconds of [NOW_SECONDS, NOW_SECONDS - 299])
			expect(
				(await inbound.send(body, byStripe(STRIPE_KEY, body, seconds))).status,
			).toBe(200);
		expect(await inbound.poll({ type: "charge.failed" })).toMatchObject([
			{
				eventId: "evt_1",
				timestamp: "2026-01-02T03:04:05.000Z",
				data: JSON.parse(body),
			},
		]);
	});

	it.each([
		["too old", byStripe(STRIPE_KEY, body, NOW_SECONDS - 301), 401],
		["of another key", byStripe("other", body), 401],
		[
			"with two times",
			{
				"stripe-signature": `t=1,${byStripe(STRIPE_KEY, body)["stripe-signature"]}`,
			},
			400,
		],
		[
			"of the test scheme v0 alone",
			{ "stripe-signature": `t=${NOW_SECONDS},v0=${"a".repeat(64)}` },
			400,
		],
		[
			"of far too many entries",
			{
				"stripe-signature": `t=${NOW_SECONDS}${`,v1=${"a".repeat(64)}`.repeat(17)}`,
			},
			400,
		],
		["that is none", {}, 400],
	])("with a signature %s is refused", async (_what, headers, status) => {
		await using inbound = await openInbound(STRIPE);
		expect((await inbound.send(body, headers)).status).toBe(status);
		expect(await inbound.poll()).toEqual([]);
	});

	it("without an id is refused: a repetition could not be known", async () => {
		await using inbound = await openInbound(STRIPE);
		expect((await inbound.send("{}", byStripe(STRIPE_KEY, "{}"))).status).toBe(
			400,
		);
	});
});

describe("a plain post", () => {
	it("brings its id and its time in the members that are named", async () => {
		await using inbound = await openInbound({
			...PLAIN,
			idField: "key",
			timestampField: "at",
		});
		await inbound.send('{"key":"k1","at":1767323045}');
		await inbound.send('{"key":"k1","at":1767323045}');
		await inbound.send("[1.0]");
		expect(await inbound.poll()).toMatchObject([
			{ eventId: "k1", timestamp: "2026-01-02T03:04:05.000Z" },
			{ eventId: "plain-run-2", data: { value: [1] } },
		]);
	});

	it.each(["", "{", "\ufeff{}", Buffer.from([0x22, 0xff, 0x22])])(
		"of %j is refused as no JSON",
		async (body) => {
			await using inbound = await openInbound(PLAIN);
			expect((await inbound.send(body)).status).toBe(400);
		},
	);

	it("above the rate of a second is put off, and what was sent before it stays", async () => {
		await using inbound = await openInbound(PLAIN, { maxPerSecond: 2 });
		const statuses = [];
		for (let count = 0; count < 3; count++)
			statuses.push((await inbound.send("{}")).status);
		expect(statuses).toEqual([200, 200, 429]);
		expect(await inbound.poll()).toHaveLength(2);
	});
});

describe("what is no delivery", () => {
	it.each([
		["to a name that is not declared", { path: "/inbound/other" }, 404],
		["to a path below a name", { path: "/inbound/plain/x" }, 404],
		["by another method", { method: "GET" }, 405],
		["that is no JSON by its type", { type: "text/plain" }, 415],
		["that is compressed", { encoding: "gzip" }, 415],
		["over the size limit", { size: 2_000 }, 413],
	])(
		"%s is refused",
		async (_what, {
			path,
			method,
			type,
			encoding,
			size = 2,
		}: {
			path?: string;
			method?: string;
			type?: string;
			encoding?: string;
			size?: number;
		}, status) => {
			await using inbound = await openInbound(PLAIN, { maxBodyBytes: 1_000 });
			const url = path ? new URL(path, inbound.at).href : inbound.at;
			const headers = {
				...(type && { "content-type": type }),
				...(encoding && { "content-encoding": encoding }),
			};
			const answer = await inbound.send("1".repeat(size), headers, {
				url,
				method: method ?? "POST",
			});
			expect(answer.status).toBe(status);
			expect(await inbound.poll()).toEqual([]);
		},
	);

	it("of a length that says too much is refused before its body comes", async () => {
		await using inbound = await openInbound(PLAIN, { maxBodyBytes: 1_000 });
		const head = ["content-type: application/json", "content-length: 1001"];
		expect(await rawPost(inbound.at, head)).toContain(" 413 ");
	});
});

describe("a hook that cannot be", () => {
	const base = { clock, epoch: "run", host: "127.0.0.1" };
	it.each([
		[
			"a name that no path can carry",
			[{ ...PLAIN, name: "a/b" }],
			{},
			"wrong-use",
		],
		[
			"a signed scheme without a secret",
			[{ ...GITHUB, secrets: [" \n"] }],
			{},
			"wrong-use",
		],
		[
			"a secret that would not be looked at",
			[{ ...PLAIN, secrets: ["x"] }],
			{},
			"wrong-use",
		],
		[
			"a Standard Webhooks secret that is none",
			[{ ...SIGNED, secrets: ["x"] }],
			{},
			"secret-invalid",
		],
		["one name twice", [PLAIN, PLAIN], {}, "wrong-use"],
		["plain posts from everywhere", [PLAIN], { host: "0.0.0.0" }, "wrong-use"],
	])("is refused at the start: %s", (_what, hooks, more, code) => {
		expect(() => openInboundSource({ ...base, ...more, hooks })).toThrow(
			expect.objectContaining({ code }),
		);
	});

	it("may be plain for everybody where that is asked for", () => {
		const more = { host: "0.0.0.0", allowPlain: true };
		expect(
			openInboundSource({ ...base, ...more, hooks: [PLAIN] }).types,
		).toHaveLength(1);
	});

	it("never shows its secret", () => {
		const secrets = ["whsec_not-base64!"];
		const open = () =>
			openInboundSource({ ...base, hooks: [{ ...SIGNED, secrets }] });
		expect(open).toThrow(
			expect.not.objectContaining({
				why: expect.stringContaining("not-base64!"),
			}),
		);
	});
});
