// listen through a tunnel: a stand-in for cloudflared that carries the traffic, and a server that must be given https.
import { describe, expect, it } from "vitest";
import { isAlive } from "../helpers/fake-cloudflared.ts";
import { nameOf, readyAt, startListenThrough } from "./tunnel-runs.ts";

describe("listen --tunnel", () => {
	it("subscribes once the tunnel is registered, receives through it, and leaves nothing behind", async () => {
		const { runs, sender, run, urls } = await startListenThrough("held", [
			"-n",
			"1",
		]);
		await run.stderr.until(/receives at http:\/\/127/);
		const tunnel = await runs.run(1);
		expect(urls("subscribe")).toEqual([]);
		await runs.tell(tunnel, "register");
		await run.stderr.until(readyAt(1));
		sender.emit("evt_1");
		const { status, lines, stderr } = await run.done;
		expect(status).toBe(0);
		expect(lines.map((line) => JSON.parse(line).eventId)).toEqual(["evt_1"]);
		expect(urls("unsubscribe")).toEqual([nameOf(1)]);
		expect(sender.subscriptions.size).toBe(0);
		expect(isAlive(tunnel.pid)).toBe(false);
		expect(stderr).not.toContain("refuses the callback");
	});

	it("follows the tunnel to its new address: the old callback is unsubscribed, the new one subscribed, nothing lost", async () => {
		const { runs, sender, run, urls } = await startListenThrough("ok", [
			"-n",
			"2",
		]);
		await run.stderr.until(readyAt(1));
		sender.emit("evt_1");
		await sender.until(() => sender.acknowledged.has("evt_1"));
		await runs.tell(await runs.run(1), "die");
		sender.emit("evt_2");
		const { status, lines, stderr } = await run.done;
		expect(status).toBe(0);
		const ids = lines.map((line) => JSON.parse(line).eventId);
		expect(ids).toEqual(["evt_1", "evt_2"]);
		expect(urls("subscribe")).toEqual([nameOf(1), nameOf(2)]);
		expect(urls("unsubscribe")).toEqual([nameOf(1), nameOf(2)]);
		expect(stderr).toMatch(/tunnel at \S+run-1\S+ ended \(exit status 1\)/);
		expect(stderr).toMatch(/the callback has moved to \S+run-2/);
		expect(isAlive((await runs.run(2)).pid)).toBe(false);
	});

	it("ends the tunnel and its children on SIGTERM, after it has unsubscribed", async () => {
		const { runs, sender, run } = await startListenThrough("family");
		await run.stderr.until(readyAt(1));
		const { pid, child = 0 } = await runs.run(1);
		expect(isAlive(child)).toBe(true);
		run.kill("SIGTERM");
		expect((await run.done).status).toBe(143);
		expect(sender.subscriptions.size).toBe(0);
		await expect.poll(() => isAlive(pid) || isAlive(child)).toBe(false);
	});
});
