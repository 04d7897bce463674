// listen against serve through TLS on one machine: the whole life of a webhook subscription, each side as users start it.
import { existsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { SECRET_TEXT } from "../fixtures/deliveries.ts";
import type { Json } from "../reference/wire-client.ts";
import {
	FIXTURE_CA,
	linesOf,
	ofKind,
	openLoop,
	recordsOf,
} from "./loop-runs.ts";

const PATIENCE = { timeout: 10_000 };

/** Which of the secrets fit a signature of a captured delivery. */
function fitting(capture: Json, signature: string, secrets: string[]) {
	const headers = Object.fromEntries(capture.headers);
	return secrets.filter((secret) => {
		try {
			new Webhook(secret).verify(capture.body, {
				...headers,
				"webhook-signature": signature,
			});
			return true;
		} catch {
			return false;
		}
	});
}

describe("listen against serve, over TLS both ways", () => {
	it("gives its consent, receives, and leaves no subscription behind", async () => {
		const loop = await openLoop();
		await loop.serve();
		const listener = await loop.listen(["--count", "2"]);
		loop.append("one\ntwo\n");
		expect((await listener.done).status).toBe(0);
		expect(linesOf(listener)).toEqual(["one", "two"]);
		expect(ofKind(listener, "envelope")).toMatchObject([
			{ type: "verification" },
		]);
		const [{ id }] = loop.stored("subscription");
		expect(loop.stored("end")).toEqual([{ kind: "end", id }]);
	});

	it("refreshes before its time is over, and gets what comes after", async () => {
		const loop = await openLoop();
		await loop.serve(["file", loop.log, "--ttl-floor", "1s"]);
		const listener = await loop.listen(["--ttl", "3s", "--count", "1"]);
		const [{ expiresAt }] = loop.stored("subscription");
		const isOver = () => Date.now() > expiresAt;
		await expect.poll(isOver, PATIENCE).toBe(true);
		loop.append("late\n");
		expect((await listener.done).status).toBe(0);
		expect(linesOf(listener)).toEqual(["late"]);
		expect(ofKind(listener, "gap")).toEqual([]);
	});

	it("rotates its secret: for a while a delivery is signed with the new one and the old one", async () => {
		const loop = await openLoop();
		await loop.serve();
		const listener = await loop.listen(["--rotate-every", "3s"]);
		const secrets = () => [
			...new Set(loop.stored("subscription").map(({ secret }) => secret)),
		];
		await expect.poll(() => secrets().length, PATIENCE).toBeGreaterThan(1);
		loop.append("one\n");
		await expect.poll(() => linesOf(listener), PATIENCE).toEqual(["one"]);
		const capture = loop.captured().find(({ body }) => body.includes('"one"'));
		const header = Object.fromEntries(capture.headers)["webhook-signature"];
		const fit: string[] = header
			.split(" ")
			.flatMap((one: string) => fitting(capture, one, secrets()));
		// The first two, unless it took so long that there was another change.
		const places = fit.map((one) => secrets().indexOf(one)).toSorted();
		const [old = -1] = places;
		expect(places).toEqual([old, old + 1]);
		expect(ofKind(listener, "rejected")).toEqual([]);
	});

	it("is told of the gap where the file was cut short, and goes on", async () => {
		const loop = await openLoop();
		await loop.serve();
		const listener = await loop.listen();
		loop.append("one, which is longer\n");
		await expect.poll(() => linesOf(listener), PATIENCE).toHaveLength(1);
		truncateSync(loop.log);
		loop.append("two\n");
		await expect.poll(() => linesOf(listener), PATIENCE).toHaveLength(2);
		const kinds = recordsOf(listener).map(({ kind }) => kind);
		expect(kinds.slice(-3)).toEqual(["envelope", "gap", "event"]);
	});

	it("outlives kill -9 of the server, and what came meanwhile is shown once", async () => {
		const loop = await openLoop();
		const server = await loop.serve();
		const listener = await loop.listen(["--count", "4"]);
		loop.append("one\n");
		await expect.poll(() => linesOf(listener), PATIENCE).toHaveLength(1);
		server.kill("SIGKILL");
		await server.done;
		loop.append("two\nthree\n");
		await loop.serve();
		await expect.poll(() => linesOf(listener), PATIENCE).toHaveLength(3);
		loop.append("four\n");
		expect((await listener.done).status).toBe(0);
		expect(linesOf(listener)).toEqual(["one", "two", "three", "four"]);
		// The consent outlived the kill too.
		expect(ofKind(listener, "envelope")).toHaveLength(1);
	});

	it("with a certificate of its own, which the server is told to trust, takes what subscribe points at it", async () => {
		const loop = await openLoop();
		const secretFile = join(loop.folder, "hook.secret");
		writeFileSync(secretFile, SECRET_TEXT);
		const secret = ["--secret-file", secretFile, "--state", loop.folder];
		const place = ["--tls", "self-signed", "--path", "/in"];
		const listener = loop.start(["listen", ...place, ...secret]);
		const [, ca = ""] = await listener.stderr.until(/to trust: (\S+)/);
		const [, at = ""] = await listener.stderr.until(/receives at (\S+)/);
		await loop.serve(["file", loop.log], ca);
		const to = ["--to", `${at}/in`, ...secret, "--ca", FIXTURE_CA];
		const access = ["--bearer-env", "LOOP_TOKEN"];
		const words = ["subscribe", loop.url, "file.line", ...to, ...access];
		const subscribed = await loop.start(words).done;
		expect(subscribed.status, subscribed.stderr).toBe(0);
		loop.append("one\n");
		await listener.stdout.until(/"line":"one".*\n/);
		listener.kill("SIGTERM");
		await listener.done;
		expect(existsSync(ca)).toBe(false);
	});

	it("is told that its event is gone, where the server comes back without it", async () => {
		const loop = await openLoop();
		const server = await loop.serve();
		const listener = await loop.listen();
		server.kill("SIGTERM");
		await server.done;
		await loop.serve(["demo"]);
		await listener.done;
		expect(ofKind(listener, "terminated")).toMatchObject([
			{ error: { name: "NotFound", data: { kind: "event" } } },
		]);
	});
});
