import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "./free-port.ts";
import { LoadServer } from "./load-server.ts";

it("says what a load server said that could not start, in place of waiting for it", async () => {
	const port = await freePort();
	const other = createServer().listen(port, "127.0.0.1");
	await once(other, "listening");
	onTestFinished(() => void other.close());
	await using server = new LoadServer(port);
	await expect(server.start()).rejects.toThrow(/ended: .*EADDRINUSE/s);
});

it("gives ports that the system gives to nobody and fetch does not refuse, and none twice", async () => {
	const ports = await Promise.all(Array.from({ length: 200 }, freePort));
	expect(new Set(ports).size).toBe(200);
	// The last of https://fetch.spec.whatwg.org/#bad-port.
	expect(Math.min(...ports)).toBeGreaterThan(10_080);
	// From 32,768 on Linux, from 49,152 elsewhere.
	expect(Math.max(...ports)).toBeLessThan(32_768);
});
