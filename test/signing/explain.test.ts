import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { explainMismatch, parseSecret } from "../../src/signing/index.ts";
import { startOwnTime } from "../helpers/own-time.ts";

const key = Buffer.from(
	"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
	"hex",
);
const text = `whsec_${key.toString("base64")}`;
const secret = parseSecret(text);
const otherText = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const id = "msg_1";
const seconds = 1_700_000_000;
const event =
	'{"eventId":"evt_9","name":"a/b","timestamp":"2026-01-01T00:00:00Z","data":{"z":1.0,"é":"<é>"}}';

interface Sent {
	id?: string;
	timestamp?: string;
	body?: string | Buffer;
	signature: string;
	more?: [string, string][];
	nowMs?: number;
	secretText?: string;
}

/** What is said of a delivery whose signature somebody else made. */
function explain(sent: Sent) {
	return explainMismatch({
		headers: [
			["webhook-id", sent.id ?? id],
			["webhook-timestamp", sent.timestamp ?? String(seconds)],
			["webhook-signature", sent.signature],
			...(sent.more ?? []),
		],
		body: Buffer.from(sent.body ?? event),
		secrets: [
			{
				label: "mine",
				secret: sent.secretText ? parseSecret(sent.secretText) : secret,
			},
		],
		otherSecrets: [{ label: "theirs", secret: parseSecret(otherText) }],
		nowMs: sent.nowMs ?? seconds * 1000,
	});
}

/** Signs with the standardwebhooks package. */
function theirs(
	body: string,
	change: { id?: string; seconds?: number; key?: Buffer | string } = {},
) {
	const secret = change.key ?? key;
	const webhook =
		typeof secret === "string"
			? new Webhook(secret)
			: new Webhook(new Uint8Array(secret), { format: "raw" });
	return webhook.sign(
		change.id ?? id,
		new Date((change.seconds ?? seconds) * 1000),
		body,
	);
}

function hmac(content: string | Buffer, algorithm = "sha256") {
	return createHmac(algorithm, key).update(content).digest();
}

const v1 = (mac: Buffer) => `v1,${mac.toString("base64")}`;
const right = hmac(`${id}.${seconds}.${event}`);

describe("explaining a mismatch", () => {
	it("calls a right signature valid", () => {
		expect(explain({ signature: theirs(event) }).kind).toBe("valid");
	});

	it.each([
		["whsec_ and all", text],
		["the base64 text", text.slice(6)],
	])("names a secret used as text: %s", (_, used) => {
		expect(
			explain({ signature: theirs(event, { key: Buffer.from(used) }) }),
		).toMatchObject({ cause: { kind: "secret-as-text", label: "mine" } });
	});

	it("names a secret used as the text that was given to us, not as we would write it", () => {
		const given = `whsec_${Buffer.alloc(31, 0xfb).toString("base64url")}`;
		const signature = theirs(event, { key: Buffer.from(given) });
		expect(explain({ secretText: given, signature })).toMatchObject({
			cause: { kind: "secret-as-text" },
		});
	});

	it("names hexadecimal in place of base64, both ways", () => {
		const allHex = `whsec_${"0123456789abcdef".repeat(3)}`;
		const decoded = theirs(event, { key: Buffer.from(allHex.slice(6), "hex") });
		const written = theirs(event, { key: Buffer.from(key.toString("hex")) });
		expect(explain({ secretText: allHex, signature: decoded })).toMatchObject({
			cause: { kind: "secret-as-hex" },
		});
		expect(explain({ signature: written })).toMatchObject({
			cause: { kind: "secret-as-hex" },
		});
	});

	it("names a prefix that was decoded with the rest", () => {
		const signature = theirs(event, { key: Buffer.from(text, "base64") });
		expect(explain({ signature })).toMatchObject({
			cause: { kind: "secret-prefix-decoded" },
		});
	});

	it.each([
		[
			"by JSON.stringify",
			JSON.stringify(JSON.parse(event)),
			/parsed and written again by JavaScript/,
		],
		[
			"indented",
			JSON.stringify(JSON.parse(event), null, 2),
			/JavaScript, indented by 2/,
		],
		[
			"with sorted keys",
			'{"data":{"z":1,"é":"<é>"},"eventId":"evt_9","name":"a/b","timestamp":"2026-01-01T00:00:00Z"}',
			/keys sorted/,
		],
		[
			"by Python",
			'{"eventId": "evt_9", "name": "a/b", "timestamp": "2026-01-01T00:00:00Z", "data": {"z": 1.0, "\\u00e9": "<\\u00e9>"}}',
			/spaces after .* ASCII escaped/,
		],
		[
			"with all but ASCII escaped",
			event.replaceAll("é", "\\u00e9"),
			/all but ASCII escaped/,
		],
		["by PHP", event.replaceAll("/", "\\/"), /"\/" escaped/],
		[
			"by Go",
			event.replace("<", "\\u003c").replace(">", "\\u003e"),
			/"<", ">" and "&" escaped/,
		],
		["as one JSON string", JSON.stringify(event), /one JSON string/],
	])(
		"names a body that was written again %s, and what changed",
		(_, signed, told) => {
			const explanation = explain({ signature: theirs(signed) });
			expect(explanation).toMatchObject({
				kind: "explained",
				cause: { kind: "body-rewritten" },
			});
			expect(explanation).toHaveProperty(
				"cause.told",
				expect.stringMatching(told),
			);
			expect(explanation).toHaveProperty(
				"cause.told",
				expect.stringMatching(/from byte \d+ on, sent ".*", signed ".*"/),
			);
		},
	);

	it.each([
		["added", event, `${event}\n`],
		["removed", `${event}\n`, event],
		["as CR LF removed", `${event}\r\n`, event],
		["as white space removed on both sides", ` ${event} `, event],
	])("names a trailing newline %s", (_, body, signed) => {
		expect(explain({ body, signature: theirs(signed) })).toMatchObject({
			cause: { kind: "trailing-newline" },
		});
	});

	it.each([
		["line-ends", "a\r\nb", "a\nb"],
		["line-ends", "a\nb", "a\r\nb"],
		["byte-order-mark", event, `\ufeff${event}`],
		["byte-order-mark", `\ufeff${event}`, event],
		["body-empty", event, ""],
		["body-as-text", Buffer.from([0x7b, 0xff, 0x7d]), "{\ufffd}"],
		["body-as-text", "é", "Ã©"],
	])("names %s", (kind, body, signed) => {
		expect(explain({ body, signature: theirs(signed) })).toMatchObject({
			cause: { kind },
		});
	});

	it.each([
		["wrong-id", theirs(event, { id: "evt_9" })],
		["wrong-id", theirs(event, { id: "sub_7" })],
		["wrong-id", theirs(event, { id: "" })],
		["wrong-id", v1(hmac(`${seconds}.${event}`))],
		["wrong-timestamp", v1(hmac(`${id}.${event}`))],
		["wrong-timestamp", theirs(event, { seconds: seconds - 31 })],
		["wrong-timestamp", v1(hmac(`${id}.2023-11-14T22:13:20.000Z.${event}`))],
		["wrong-timestamp", v1(hmac(`${id}.2026-01-01T00:00:00Z.${event}`))],
		["wrong-order", v1(hmac(`${seconds}.${id}.${event}`))],
		["milliseconds", v1(hmac(`${id}.${seconds}000.${event}`))],
		["milliseconds", v1(hmac(`${id}.${seconds}417.${event}`))],
		["body-alone", v1(hmac(event))],
		["algorithm", v1(hmac(`${id}.${seconds}.${event}`, "sha1"))],
		["algorithm", v1(hmac(`${id}.${seconds}.${event}`, "sha512"))],
		["other-secret", theirs(event, { key: otherText })],
		["signature-encoding", `v1,${right.toString("hex")}`],
		["signature-encoding", `v1,${right.toString("base64url")}`],
		["signature-encoding", v1(right).replace(/=+$/, "")],
		[
			"signature-encoding",
			`v1,${Buffer.from(right.toString("hex")).toString("base64")}`,
		],
		["signature-header", right.toString("base64")],
		["signature-header", `v1=${right.toString("base64")}`],
		["signature-header", `v2,${right.toString("base64")}`],
	])("names %s (%s)", (kind, signature) => {
		const more: [string, string][] = [["X-MCP-Subscription-Id", "sub_7"]];
		expect(explain({ signature, more })).toMatchObject({
			kind: "explained",
			cause: { kind },
		});
	});

	it.each([
		["milliseconds", hmac(`${id}.${seconds}123.${event}`)],
		["seconds", hmac(`${id}.${seconds}.${event}`)],
	])("names a timestamp header in milliseconds, signed in %s", (unit, mac) => {
		const explanation = explain({
			timestamp: `${seconds}123`,
			signature: v1(mac),
		});
		expect(explanation).toMatchObject({
			cause: {
				kind: "milliseconds",
				told: expect.stringContaining(`signed in ${unit}`),
			},
		});
	});

	it("tells by how much the clocks differ, and recognises a zone", () => {
		const old = explain({
			signature: theirs(event),
			nowMs: (seconds + 7201) * 1000,
		});
		expect(old).toMatchObject({
			cause: {
				kind: "clock-skew",
				told: expect.stringMatching(/7201 s older .* 2 h: local time/),
			},
		});
		const ahead = explain({
			signature: theirs(event),
			nowMs: (seconds - 400) * 1000,
		});
		expect(ahead).toMatchObject({
			cause: {
				told: expect.stringMatching(
					/400 s newer than now \(300 s are allowed\)$/,
				),
			},
		});
	});

	it("tells a skew beside another mistake", () => {
		const signature = theirs(`${event}\n`);
		expect(explain({ signature, nowMs: (seconds + 900) * 1000 })).toMatchObject(
			{ cause: { kind: "trailing-newline" }, skewSeconds: 900 },
		);
	});

	it("sees a body cut short by its content-length", () => {
		const signature = theirs(event);
		expect(
			explain({
				body: event.slice(0, 40),
				signature,
				more: [["Content-Length", "120"]],
			}),
		).toMatchObject({ cause: { kind: "truncated-body" } });
	});

	it.each([
		["webhook-id", { id: "" }],
		["webhook-timestamp", { timestamp: "soon" }],
	])("names a wrong %s header", (header, change) => {
		expect(explain({ signature: theirs(event), ...change })).toMatchObject({
			cause: { kind: "header", told: expect.stringContaining(header) },
		});
	});

	it.each([
		[
			"the secret as text, and a newline",
			theirs(`${event}\n`, { key: Buffer.from(text) }),
		],
		[
			"the eventId, and the body written again",
			theirs(JSON.stringify(JSON.parse(event)), { id: "evt_9" }),
		],
		[
			"another secret, in another encoding",
			theirs(event, { key: otherText })
				.replaceAll("=", "")
				.replace("v1,", "v1,A"),
		],
		[
			"another secret, and another id",
			theirs(event, { key: otherText, id: "evt_9" }),
		],
		[
			"milliseconds, and SHA-512",
			v1(hmac(`${id}.${seconds}000.${event}`, "sha512")),
		],
		[
			"the id left out, and hexadecimal",
			`v1,${hmac(`${seconds}.${event}`).toString("hex")}`,
		],
		["a stranger's secret", theirs(event, { key: Buffer.alloc(32, 99) })],
	])("does not name two mistakes as one: %s", (_, signature) => {
		const explanation = explain({ signature });
		const named =
			explanation.kind === "explained" ? explanation.cause.kind : "none";
		// A header that cannot be read is a fact, whatever else is wrong.
		expect(["none", "header"]).toContain(named);
	});

	it.each([
		["deep nesting", "[".repeat(400_000)],
		["deep but whole nesting", "[".repeat(5000) + "]".repeat(5000)],
		["much white space", `[${" ".repeat(260_000)}]x`],
		["a large body", JSON.stringify({ data: "x".repeat(260_000) })],
		[
			"many tokens",
			JSON.stringify(Array.from({ length: 60_000 }, (_, at) => at)),
		],
	])("ends soon for %s", (_, body) => {
		const ownTimeMs = startOwnTime();
		expect(explain({ body, signature: theirs("something else") }).kind).toBe(
			"unexplained",
		);
		expect(ownTimeMs()).toBeLessThan(5000);
	});

	it("never tells the secret", () => {
		const explanations = [
			theirs(event, { key: Buffer.from(text) }),
			theirs("x", { key: otherText }),
		].map((signature) => JSON.stringify(explain({ signature })));
		for (const told of explanations)
			expect(told).not.toContain(text.slice(6, 16));
	});
});
