import type { OutgoingHttpHeaders } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../fixtures/servers/listen.ts";
import { createManualClock } from "../manual-clock.ts";
import {
	askFor,
	type GuardedWorld,
	LOOPBACK,
	makeGuarded,
	openCounter,
	openEndpoint,
	openGuarded,
	refusalOf,
} from "./guarded-world.ts";

const PATH = "/.well-known/mcp-webhook-receiver.json";
const clock = createManualClock();
let callbacks: GuardedWorld["callbacks"];
let principals = 0;

// One world for all: each test has an origin, and each question a principal, of its own.
beforeAll(() => {
	({ callbacks } = makeGuarded({ allowPrivateCidrs: LOOPBACK, clock }));
});
afterAll(() => callbacks.close());

interface Published {
	status?: number;
	headers?: OutgoingHttpHeaders;
	body?: string;
}

/** An endpoint with a document, which may change; it answers no challenge. */
async function openPublisher(published: Published) {
	const asked: string[] = [];
	const tags: unknown[] = [];
	const { url } = await openEndpoint((request, response) => {
		asked.push(`${request.method} ${request.url}`);
		if (request.url !== PATH) return response.writeHead(500).end();
		tags.push(request.headers["if-none-match"]);
		const { status = 200, headers = {}, body = "" } = published;
		response.writeHead(status, headers).end(body);
	});
	/** Whether the document alone is consent enough. */
	const covers = async (path: string) => {
		principals += 1;
		const before = asked.length;
		const asking = callbacks.verify(askFor(url(path), `p${principals}`));
		const isCovered = await asking.then(
			() => true,
			() => false,
		);
		const rest = asked.slice(before);
		expect(rest.some((line) => line.startsWith("POST"))).toBe(!isCovered);
		return isCovered;
	};
	const fetches = () => asked.filter((line) => line === `GET ${PATH}`).length;
	return { covers, fetches, tags };
}

const listing = (...receivers: unknown[]) => JSON.stringify({ receivers });

describe("a receiver's document", () => {
	it.each([
		["/hooks/", "/hooks/a", true],
		["/hooks/", "/hooks/a?key=1", true],
		["/hooks/", "/hooks/", true],
		["/hooks/", "/hooks", false],
		["/hooks", "/hooks", true],
		["/hooks", "/hooks/a", true],
		["/hooks", "/hooks-of-others/a", false],
		["/hooks/", "/other/hooks/a", false],
		["/hooks/", "/hooks/../admin", false],
		["/hooks/", "/hooks/%2e%2e/admin", false],
		["/hooks/", "/hooks/..%2fadmin", false],
		["/hooks/", "/hooks/..%5Cadmin", false],
		["/hooks/", "/HOOKS/a", false],
		["/", "/anything", true],
		["", "/anything", false],
		["hooks", "/hooks", false],
	])("that lists %j covers %s: %s", async (prefix, path, isCovered) => {
		const { covers } = await openPublisher({ body: listing(prefix) });
		expect(await covers(path)).toBe(isCovered);
	});

	it.each<[string, Published]>([
		["missing", { status: 404, body: listing("/") }],
		[
			"elsewhere",
			{ status: 302, headers: { location: "/x" }, body: listing("/") },
		],
		["no JSON", { body: "/" }],
		["no object", { body: '["/"]' }],
		["without a list", { body: '{"receivers":"/"}' }],
		["of other things", { body: listing(1, null, ["/"], { path: "/" }) }],
		["too long", { body: listing("/", "x".repeat(20_000)) }],
	])("that is %s covers nothing", async (_what, published) => {
		const { covers } = await openPublisher(published);
		expect(await covers("/hook")).toBe(false);
	});

	it("is not asked for over http", async () => {
		const asked: unknown[] = [];
		await using plain = await listen((request, response) => {
			asked.push(request.method);
			response.end(listing("/"));
		});
		const { callbacks } = openGuarded();
		const { origin } = new URL(plain.url);
		callbacks.allowOrigin(origin);
		const { data } = await refusalOf(
			callbacks.verify(askFor(`${origin}/hook`)),
		);
		expect(data).toEqual({ reason: "challenge_failed" });
		expect(asked).toEqual(["POST"]);
	});
});

describe("a document is kept", () => {
	it.each<[string, OutgoingHttpHeaders, number]>([
		[
			"as long as max-age says",
			{ "cache-control": "public, max-age=120" },
			120,
		],
		["less its age", { "cache-control": "max-age=120", age: "100" }, 20],
		[
			"until it expires, by its own date",
			{
				date: "Thu, 01 Jan 2026 00:00:00 GMT",
				expires: "Thu, 01 Jan 2026 00:01:00 GMT",
			},
			60,
		],
		[
			"by max-age rather than Expires",
			{
				"cache-control": "max-age=30",
				expires: "Thu, 01 Jan 2099 00:00:00 GMT",
			},
			30,
		],
		["an hour at most", { "cache-control": "max-age=999999999" }, 3_600],
		["ten seconds at least", { "cache-control": "no-store" }, 10],
		["ten seconds where Expires is no date", { expires: "0" }, 10],
		["five minutes where nothing is said", {}, 300],
	])("%s", async (_how, headers, seconds) => {
		const published = { headers, body: listing("/") };
		const { covers, fetches } = await openPublisher(published);
		expect(await covers("/hook")).toBe(true);
		await clock.advance(seconds * 1_000 - 1);
		expect(await covers("/other")).toBe(true);
		expect(fetches()).toBe(1);
		published.body = listing("/hook");
		await clock.advance(1);
		expect(await covers("/other")).toBe(false);
		expect(fetches()).toBe(2);
	});

	it("as it was where its tag still holds", async () => {
		const headers = { etag: '"one"', "cache-control": "max-age=60" };
		const published: Published = { headers, body: listing("/") };
		const { covers, fetches, tags } = await openPublisher(published);
		await covers("/hook");
		Object.assign(published, { status: 304, body: "" });
		for (let minute = 0; minute < 2; minute += 1) {
			await clock.advance(60_000);
			expect(await covers("/hook")).toBe(true);
		}
		expect(fetches()).toBe(3);
		expect(tags).toEqual([undefined, '"one"', '"one"']);
	});

	it("even where it is missing, so that its origin is not asked each time", async () => {
		const { covers, fetches } = await openPublisher({ status: 404 });
		await covers("/hook");
		await covers("/hook");
		expect(fetches()).toBe(1);
	});
	it("not, but its origin is left alone for a while where it only hangs up", async () => {
		const counter = await openCounter("hang-up");
		const url = `https://127.0.0.1:${counter.port}/hook`;
		const ask = () => callbacks.verify(askFor(url)).catch(() => {});
		await ask();
		expect(counter.connections).toBe(2);
		await ask();
		expect(counter.connections).toBe(3);
		await clock.advance(10_000);
		await ask();
		expect(counter.connections).toBe(5);
	});
});
