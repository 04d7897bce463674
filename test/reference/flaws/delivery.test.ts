// Flaws of deliveries over real sockets: what an endpoint gets of an honest server, and what of this one.
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
	openReferenceServer,
	parseFlaws,
} from "../../../src/reference/index.ts";
import {
	openRecorder,
	type RecordedRequest,
} from "../../helpers/open-recorder.ts";
import { realClock } from "../manual-clock.ts";
import { type Json, post } from "../wire-client.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const HEADERS = { authorization: "Bearer alice-token" };

const bodyOf = ({ body }: RecordedRequest): Json => JSON.parse(body.toString());
const isEvent = (request: RecordedRequest) =>
	bodyOf(request).type === undefined;

/** The answer to a subscribe, and all that came to the endpoint until some events had come. */
async function subscribeAt(flaws: readonly string[]) {
	let enough = () => {};
	const came = new Promise<void>((resolve) => {
		enough = resolve;
	});
	const endpoint = await openRecorder({
		answer: (_n, request) => {
			const { challenge } = bodyOf(request);
			if (challenge !== undefined) return [200, JSON.stringify({ challenge })];
			if (endpoint.requests.filter(isEvent).length > 2) enough();
			return 204;
		},
	});
	await using server = await openReferenceServer({
		sources: [],
		version: "1.2.3",
		clock: realClock,
		conformanceControls: true,
		tokens: [{ principal: "alice", token: "alice-token" }],
		flaws: parseFlaws(flaws),
		delivery: { random: () => 0, randomBytes },
	});
	const ask = async (method: string, params: Json): Promise<Json> =>
		(await post(server.url, method, params, { headers: HEADERS })).json();
	await ask("tools/call", {
		name: "events_conformance_allow_callback_origin",
		arguments: { origin: new URL(endpoint.url).origin },
	});
	const answer = await ask("events/subscribe", {
		name: "conformance.steady",
		arguments: {},
		delivery: { mode: "webhook", url: endpoint.url, secret: SECRET },
	});
	if (answer.result) await came;
	return { answer, requests: endpoint.requests };
}

type Came = Awaited<ReturnType<typeof subscribeAt>>;
const first = ({ requests }: Came) => bodyOf(requests[0] as RecordedRequest);
const firstEvent = ({ requests }: Came) =>
	requests.find(isEvent) as RecordedRequest;

/** What each looks at, what it is with the flaw, and what without. */
const seen: [flaw: string, look: (came: Came) => unknown, wrong: unknown][] = [
	["no-handshake", (came) => first(came).type ?? "an event", "an event"],
	["challenge-as-number", (came) => typeof first(came).challenge, "number"],
	[
		"same-challenge",
		(came) => first(came).challenge,
		"one-challenge-for-everybody",
	],
	[
		"deliveries-as-text",
		(came) => firstEvent(came).header("content-type"),
		"text/plain",
	],
	[
		"timestamp-in-ms",
		(came) => firstEvent(came).header("webhook-timestamp")?.length,
		13,
	],
	["body-over-limit", (came) => firstEvent(came).body.length > 262_144, true],
	[
		"undated-deliveries",
		(came) => "timestamp" in bodyOf(firstEvent(came)),
		false,
	],
	[
		"other-subscription-id",
		(came) => firstEvent(came).header("x-mcp-subscription-id"),
		"sub_of-somebody-else",
	],
	[
		"key-in-delivery",
		(came) => bodyOf(firstEvent(came))._meta?.jwk?.kty,
		"OKP",
	],
];

describe("a flaw of deliveries", () => {
	it.each(seen)("%s shows", async (flaw, look, wrong) => {
		const [honest, flawed] = await Promise.all([
			subscribeAt([]),
			subscribeAt([flaw]),
		]);
		expect(look(flawed)).toEqual(wrong);
		expect(look(honest)).not.toEqual(wrong);
	});
});
