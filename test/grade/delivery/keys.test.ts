// Whose keys sign, by hand: a new secret beside the old one, and keys that only the server's origin hands out.

import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { keyChecks } from "../../../src/grade/delivery/keys.ts";
import { rotationChecks } from "../../../src/grade/delivery/rotation.ts";
import { newSecret, type Secret } from "../../../src/signing/index.ts";
import {
	answerOf,
	contextOf,
	judge,
	NOW_MS,
	OCCURRENCE,
	optionsOf,
	probeOf,
	REFUSED,
	requestOf,
	type Sent,
	stageOf,
	subOf,
} from "./by-hand.ts";

const signedBy = (...secrets: Secret[]): Sent => ({
	headers: {
		"webhook-signature": secrets
			.map((secret) =>
				new Webhook(secret.reveal()).sign(
					"m1",
					new Date(NOW_MS),
					JSON.stringify(OCCURRENCE),
				),
			)
			.join(" "),
	},
});

describe("a new secret", () => {
	const old = newSecret(randomBytes);
	const row = "delivery-dual-sign-on-rotation";
	/** `by`: who signs what comes behind the refresh. */
	const rotate = (
		by: (fresh: Secret) => Secret[],
		{ again = answerOf(), secrets = [old], hasEvent = true } = {},
	) => {
		const probe = probeOf([], {
			secrets: [...secrets],
			sub: subOf(answerOf(), { again }),
		});
		const stage = stageOf({
			opens: [probe],
			async nextEvent(_path, from, fits) {
				const [, fresh] = probe.secrets;
				if (from === undefined || !fresh)
					return hasEvent ? requestOf({}) : undefined;
				const event = requestOf(signedBy(...by(fresh)));
				return fits?.(event) ? event : undefined;
			},
		});
		return judge(rotationChecks, row, { stage });
	};
	const both = (fresh: Secret) => [fresh, old];
	it.each<[string, () => Promise<string>, string]>([
		["beside the old one", () => rotate(both), "holds"],
		["alone", () => rotate((fresh) => [fresh]), "broken"],
		["that signs nothing", () => rotate(() => [old]), "untestable traffic"],
		[
			"that is refused",
			() => rotate(both, { again: answerOf(-32602) }),
			"untestable answer",
		],
		[
			"in place of none",
			() => rotate(both, { secrets: [] }),
			"untestable answer",
		],
		[
			"without an event",
			() => rotate(both, { hasEvent: false }),
			"untestable traffic",
		],
	])("%s", async (_about, rotated, word) => {
		expect(await rotated()).toBe(word);
	});

	it("cannot be tried where the subscribe is refused", async () => {
		const stage = stageOf({ opens: [{ ...REFUSED(), secrets: [old] }] });
		expect(await judge(rotationChecks, row, { stage })).toBe(
			"untestable answer",
		);
	});
});

describe("a key of the server", () => {
	const row = "server-identity-key-discovery";
	const v1a: Sent = { headers: { "webhook-signature": "v1,x v1a,AAAA" } };
	const holding = (key: string): Sent => ({
		...v1a,
		body: { ...OCCURRENCE, data: { key } },
	});
	/** Asks a server that answers so for its keys. */
	async function discover(sent: Sent[], status: number) {
		await using server = createServer((request, response) => {
			const isFollowed = request.url === "/elsewhere";
			response.statusCode = isFollowed ? 200 : status;
			if (status === 302) response.setHeader("location", "/elsewhere");
			response.end(JSON.stringify({ keys: [] }));
		});
		await new Promise<void>((resolve) =>
			server.listen(0, "127.0.0.1", resolve),
		);
		const { port } = server.address() as AddressInfo;
		const target = {
			kind: "http" as const,
			url: new URL(`http://127.0.0.1:${port}/mcp`),
			headers: [],
			env: {},
		};
		const context = contextOf({
			options: optionsOf({ target, timeoutMs: 5_000 }),
		});
		const stage = stageOf({ main: probeOf(sent) });
		return await judge(keyChecks, row, { context, stage });
	}

	it.each<[string, Sent[], number, string]>([
		["that did not sign", [v1a], 200, "broken"],
		["that is not there", [v1a], 404, "broken"],
		["that lies elsewhere", [v1a], 302, "broken"],
		["that nobody needs", [{}], 404, "skipped"],
		["that stands in a delivery", [holding("BEGIN PUBLIC KEY")], 200, "broken"],
		[
			"with a name that only looks like it",
			[{ headers: { "webhook-signature": "v1a2,x" } }],
			404,
			"skipped",
		],
	])("%s", async (_about, sent, status, word) => {
		expect(await discover(sent, status)).toBe(word);
	});

	it("is looked for at a server with an address alone", async () => {
		const target = {
			kind: "stdio" as const,
			command: "server",
			args: [],
			env: {},
		};
		const context = contextOf({ options: optionsOf({ target }) });
		const of = (sent: Sent) =>
			judge(keyChecks, row, {
				context,
				stage: stageOf({ main: probeOf([sent]) }),
			});
		expect(await of(v1a)).toBe("skipped");
		expect(await of(holding("BEGIN PUBLIC KEY"))).toBe("broken");
	});
});
