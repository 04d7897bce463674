// A server on a real socket that turns posts into events, and senders that sign by openssl or the products' own packages.
import { spawnSync } from "node:child_process";
import { createConnection } from "node:net";
import { Webhook } from "standardwebhooks";
import {
	type InboundHook,
	type InboundOptions,
	openInboundSource,
	openReferenceServer,
} from "../../../../src/reference/index.ts";
import { realClock } from "../../manual-clock.ts";
import { ask, type Json } from "../../wire-client.ts";

export const WHSEC = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
export const NOW_SECONDS = 1_800_000_000;
/** Stands still at NOW_SECONDS unless it is moved. */
export const clock = { ...realClock, now: () => NOW_SECONDS * 1000 };

export async function openInbound(
	hook: InboundHook,
	more: Partial<InboundOptions> = {},
) {
	const notes: string[] = [];
	const source = openInboundSource({
		hooks: [hook],
		clock,
		epoch: "run",
		host: "127.0.0.1",
		note: (text) => notes.push(text),
		...more,
	});
	const server = await openReferenceServer({
		sources: [source],
		routes: [source.route],
		clock: realClock,
		version: "0",
	});
	const at = new URL(`/inbound/${hook.name}`, server.url).href;
	const send = async (
		body: string | Buffer,
		headers: Record<string, string> = {},
		{ url = at, method = "POST" } = {},
	) => {
		const response = await fetch(url, {
			method,
			headers: { "content-type": "application/json", ...headers },
			...(method === "POST" && { body: new Uint8Array(Buffer.from(body)) }),
		});
		return { status: response.status, text: await response.text() };
	};
	const poll = async (
		args: Json = {},
		cursor = "v1.run.0",
	): Promise<Json[]> => {
		const params = { name: hook.name, arguments: args, cursor };
		return (await ask(server.url, "events/poll", params)).result.events;
	};
	return {
		server,
		at,
		notes,
		send,
		poll,
		[Symbol.asyncDispose]: () => server.close(),
	};
}

/** HMAC-SHA256 in hex, by openssl. */
export function opensslMac(key: string, text: string | Buffer): string {
	const { stdout } = spawnSync(
		"openssl",
		[
			"dgst",
			"-sha256",
			"-mac",
			"HMAC",
			"-macopt",
			`hexkey:${Buffer.from(key).toString("hex")}`,
		],
		{ input: text },
	);
	return /([0-9a-f]{64})/.exec(stdout.toString())?.[1] ?? "openssl failed";
}

export const byGithub = (
	key: string,
	body: string | Buffer,
	{ id = "guid-1", event = "push" } = {},
) => ({
	"x-hub-signature-256": `sha256=${opensslMac(key, body)}`,
	"x-github-delivery": id,
	"x-github-event": event,
});

export const byStripe = (key: string, body: string, seconds = NOW_SECONDS) => ({
	"stripe-signature": `t=${seconds},v1=${opensslMac(key, `${seconds}.${body}`)},v0=${"0".repeat(64)}`,
});

export const byStandard = (
	body: string,
	{ id = "msg_1", seconds = NOW_SECONDS, secret = WHSEC } = {},
) => ({
	"webhook-id": id,
	"webhook-timestamp": String(seconds),
	"webhook-signature": new Webhook(secret).sign(
		id,
		new Date(seconds * 1000),
		body,
	),
});

/** The first line of what a raw request is answered with. */
export function rawPost(url: string, head: string[]): Promise<string> {
	const { hostname, port, pathname, host } = new URL(url);
	return new Promise((resolve, reject) => {
		const socket = createConnection(Number(port), hostname, () =>
			socket.write(
				[`POST ${pathname} HTTP/1.1`, `host: ${host}`, ...head, "", ""].join(
					"\r\n",
				),
			),
		);
		socket.once("data", (data) => {
			resolve(data.toString().split("\r\n")[0] ?? "");
			socket.destroy();
		});
		socket.once("error", reject);
	});
}
