import { expect, it } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import { readWireError } from "../../src/protocol/index.ts";
import {
	type Session,
	subscribeWebhook,
	unsubscribeWebhook,
	whyCallbackUnfit,
} from "../../src/session/index.ts";
import { faultFromWire } from "../../src/session/wire-fault.ts";
import { scriptedSession } from "./scripted-session.ts";

const secret = `whsec_${Buffer.alloc(32, 0xff).toString("base64")}`;
const key = {
	name: "t",
	arguments: { a: 1 },
	url: "https://hook.example/hooks/x",
};
const granted =
	'{"id":"sub_1","refreshBefore":null,"cursor":null,"truncated":false}';

/** A session whose every request is refused. */
function refusing(error: Record<string, unknown>): Session {
	const { session } = scriptedSession({});
	session.request = (method, params) => {
		const facts = readWireError(error);
		if (!facts) throw new Error("no error");
		throw faultFromWire({ method, name: String(params.name) }, facts);
	};
	return session;
}

const faultOf = (work: Promise<unknown>) =>
	work.then(
		() => expect.fail("it should have thrown"),
		(fault: unknown) => fault as Fault,
	);

const subscribe = (session: Session, changes: object = {}) =>
	subscribeWebhook(session, { ...key, secret, ...changes }, { odd: () => {} });

it("sends the key with the secret, and only what is asked for beside it", async () => {
	const { session, asked } = scriptedSession({ results: [granted] });
	await subscribe(session, { cursor: undefined, ttlMs: null });
	const { url, ...rest } = key;
	expect(asked).toEqual([
		{
			method: "events/subscribe",
			params: {
				...rest,
				delivery: { mode: "webhook", url, secret },
				ttlMs: null,
			},
		},
	]);
});

it("never has the secret in a fault, even if the server quotes it", async () => {
	const inside = secret.slice("whsec_".length);
	const session = refusing({
		code: -32602,
		message: `bad ${secret} or ${inside}`,
		data: { given: [secret] },
	});
	const fault = await faultOf(subscribe(session));
	const { what, why, next, wire } = fault;
	expect(JSON.stringify([what, why, next, wire])).not.toContain(inside);
	expect(why).toContain("whsec_[hidden]");
});

it.each([
	["http://127.0.0.1:9/h", "it is http"],
	["https://localhost:9/h", "no other can reach"],
])("says the ways out when the server refuses %s", async (url, why) => {
	const session = refusing({ code: -32602, message: "bad url" });
	const fault = await faultOf(subscribe(session, { url }));
	expect(fault).toMatchObject({
		code: "arguments-refused",
		why: expect.stringContaining(why),
		next: expect.stringContaining("--public-url"),
	});
});

it.each([
	["challenge_failed", "the receiver that knows this secret"],
	["tls_error", "a certificate"],
	[undefined, "--public-url"],
])(
	"names why the callback failed, and what to do: %s",
	async (reason, next) => {
		const session = refusing({ code: -32027, message: "no", data: { reason } });
		const fault = await faultOf(subscribe(session));
		expect(fault).toMatchObject({
			code: "callback-refused",
			exitStatus: 3,
			what: expect.stringContaining(reason ?? "refuses the callback URL"),
			next: expect.stringContaining(next),
		});
	},
);

it.each([
	["an empty result", scriptedSession({ results: ["{}"] }).session],
	["NotFound", refusing({ code: -32023, message: "none" })],
	["NotFound of the sketch", refusing({ code: -32016, message: "none" })],
])("takes %s for the end of a subscription", async (_what, session) => {
	await expect(unsubscribeWebhook(session, key)).resolves.toBeUndefined();
});

it("passes on what keeps a subscription from ending", async () => {
	const session = refusing({ code: -32024, message: "no" });
	const fault = await faultOf(unsubscribeWebhook(session, key));
	expect(fault).toBeInstanceOf(Fault);
	expect(fault.code).toBe("forbidden");
});

it.each([
	["https://hook.example/x", false],
	["https://127.0.0.1/x", true],
	["https://[::1]/x", true],
	["https://a.localhost/x", true],
	["http://hook.example/x", true],
])("knows a callback that must be refused: %s", (url, isUnfit) => {
	expect(whyCallbackUnfit(url) !== undefined).toBe(isUnfit);
});
