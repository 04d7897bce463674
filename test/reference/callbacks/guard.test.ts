import { beforeEach, describe, expect, it } from "vitest";
import { readBody } from "../../fixtures/servers/listen.ts";
import {
	type NameServer,
	openNameServer,
} from "../../helpers/open-name-server.ts";
import { createManualClock } from "../manual-clock.ts";
import { CALLED, FORBIDDEN, MALFORMED, NAMES } from "./callback-urls.ts";
import {
	askFor,
	openCounter,
	openEndpoint,
	openGuarded,
	PUBLIC,
	postTo,
	refusalOf,
} from "./guarded-world.ts";

const FAILED = { kind: "failed", reason: "connection_refused" };
const NO_HOST = "delivery.url has a host that may not be called";
const LOOPBACK_SPELLINGS = [
	"127.0.0.1",
	"127.1",
	"0x7f000001",
	"017700000001",
	"2130706433",
	"１２７.０.０.１",
	"0",
	"[::1]",
	"[::]",
	"[::ffff:127.0.0.1]",
	"localhost",
	"localhost.",
];

let resolver: NameServer;

beforeEach(async () => {
	resolver = await openNameServer(NAMES);
});

describe("a callback URL", () => {
	it.each(MALFORMED)("is refused for its text: %j", async (url) => {
		const { callbacks, dialled } = openGuarded({ resolver });
		const refusal = await refusalOf(callbacks.check(url));
		expect(refusal).toMatchObject({ error: "InvalidParams", data: undefined });
		expect(refusal.message).not.toBe(NO_HOST);
		expect(await refusalOf(callbacks.verify(askFor(url)))).toEqual(refusal);
		expect(await postTo(callbacks, url)).toEqual(FAILED);
		expect(dialled).toEqual([]);
	});

	it.each(FORBIDDEN)("is refused for where it leads: %s", async (url) => {
		const { callbacks, dialled } = openGuarded({ resolver });
		expect(await refusalOf(callbacks.check(url))).toEqual({
			error: "InvalidParams",
			message: NO_HOST,
			data: undefined,
		});
		expect(await postTo(callbacks, url)).toEqual(FAILED);
		const { error } = await refusalOf(callbacks.verify(askFor(url)));
		expect(error).toBe("CallbackEndpointError");
		expect(dialled).toEqual([]);
	});

	it.each(CALLED)(
		"is called where it was judged: %s at %s",
		async (url, target) => {
			const { port } = await openCounter("hang-up");
			// Nobody gets as far as a certificate, and reading the roots with our own takes its time.
			const world = { resolver, ca: undefined };
			const { callbacks, dialled } = openGuarded(world, port);
			await callbacks.check(url);
			expect(dialled).toEqual([]);
			expect(await postTo(callbacks, url)).toMatchObject({ kind: "failed" });
			expect(dialled).toEqual([target]);
		},
	);

	it("never leads to this machine by any spelling of loopback", async () => {
		const counter = await openCounter();
		// As the server dials: nothing is counted but by the listener.
		const { callbacks } = openGuarded({ dial: undefined });
		for (const host of LOOPBACK_SPELLINGS)
			expect(
				await postTo(callbacks, `https://${host}:${counter.port}/`),
			).toEqual(FAILED);
		expect(counter.connections).toBe(0);
	});

	it("is judged anew when it is called, by the answer of that moment", async () => {
		const url = "https://moving.example/";
		const { port } = await openCounter("hang-up");
		const { callbacks, dialled } = openGuarded(
			{ resolver, ca: undefined },
			port,
		);
		resolver.answers.set("moving.example", [PUBLIC]);
		await callbacks.check(url);
		resolver.answers.set("moving.example", ["127.0.0.1"]);
		expect(await postTo(callbacks, url)).toEqual(FAILED);
		expect(dialled).toEqual([]);
		resolver.answers.set("moving.example", ["1.1.1.1"]);
		await postTo(callbacks, url);
		expect(dialled).toEqual(["1.1.1.1:443"]);
	});

	it("is judged anew between the handshake and the first delivery", async () => {
		const { port } = await openEndpoint(
			async (request, response) => response.end(await readBody(request)),
			"elsewhere",
		);
		resolver.answers.set("elsewhere.example", [PUBLIC]);
		const { callbacks, dialled } = openGuarded({ resolver });
		const url = `https://elsewhere.example:${port}/hook`;
		await callbacks.verify(askFor(url));
		const before = dialled.length;
		expect(before).toBeGreaterThan(0);
		resolver.answers.set("elsewhere.example", ["10.1.2.3"]);
		expect(await postTo(callbacks, url)).toEqual(FAILED);
		expect(dialled).toHaveLength(before);
	});

	it("passes while its name cannot be asked for, and fails when it is called", async () => {
		const { callbacks, dialled } = openGuarded({ resolver });
		resolver.answers.set("ailing.example", "failure");
		await callbacks.check("https://ailing.example/");
		expect(await postTo(callbacks, "https://ailing.example/")).toEqual(FAILED);
		expect(dialled).toEqual([]);
	});

	it("keeps nobody waiting for a name server that is silent", async () => {
		const clock = createManualClock();
		const { callbacks } = openGuarded({ resolver, clock });
		resolver.answers.set("silent.example", "silence");
		const checked = callbacks.check("https://silent.example/");
		await clock.advance(5_000);
		await checked;
		expect(clock.timers).toBe(0);
	});

	it("may have a name that nobody knows where the operator vouches for it", async () => {
		const allowCallbacks = ["https://nowhere.example"];
		const { callbacks } = openGuarded({ resolver, allowCallbacks });
		await callbacks.check("https://nowhere.example/hook");
		await callbacks.verify(askFor("https://nowhere.example/hook"));
	});
});

describe("the three switches", () => {
	it("give consent alone by --allow-callback", async () => {
		const allowCallbacks = ["https://127.0.0.1", "http://public.example"];
		const { callbacks, dialled } = openGuarded({ resolver, allowCallbacks });
		for (const url of ["https://127.0.0.1/", "http://public.example/"]) {
			expect((await refusalOf(callbacks.check(url))).error).toBe(
				"InvalidParams",
			);
			expect(await postTo(callbacks, url)).toEqual(FAILED);
		}
		expect(dialled).toEqual([]);
	});

	it("lift the address rule alone by --allow-private-callbacks", async () => {
		const { port } = await openCounter("hang-up");
		const allowPrivateCidrs = ["127.0.0.0/8"];
		const { callbacks } = openGuarded({ allowPrivateCidrs, resolver }, port);
		await callbacks.check("https://127.0.0.1/");
		await callbacks.check("https://[::ffff:127.0.0.1]/");
		for (const url of ["http://127.0.0.1/", "https://10.1.2.3/"])
			expect((await refusalOf(callbacks.check(url))).error).toBe(
				"InvalidParams",
			);
		const { data } = await refusalOf(
			callbacks.verify(askFor("https://127.0.0.1/")),
		);
		expect(data).toEqual({ reason: "tls_error" });
	});

	it("lift both for one origin by the fixture control", async () => {
		const { callbacks } = openGuarded({ resolver });
		callbacks.allowOrigin("http://127.0.0.1:8080");
		await callbacks.check("http://127.0.0.1:8080/hook");
		for (const url of [
			"http://127.0.0.1:8081/hook",
			"https://127.0.0.1:8080/hook",
			"http://localhost:8080/hook",
			"http://user@127.0.0.1:8080/hook",
		])
			expect((await refusalOf(callbacks.check(url))).error).toBe(
				"InvalidParams",
			);
	});
});
