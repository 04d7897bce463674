// listen --forward-to as a process: what arrives at targets of others, and what is told of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { OTHER_TEXT, SECRET_TEXT } from "../fixtures/deliveries.ts";
import { openWebhookSender } from "../fixtures/servers/webhook-sender.ts";
import { eventText, openListener } from "../helpers/open-listener.ts";
import {
	openRecorder,
	type RecordedRequest,
} from "../helpers/open-recorder.ts";
import { runCli, startCli } from "../helpers/run-cli.ts";

const forwardTo = (...urls: string[]) =>
	urls.flatMap((url) => ["--forward-to", url]);

/** What the standardwebhooks package says to what arrived. */
function verify(
	{ headers, body }: RecordedRequest,
	secret = SECRET_TEXT,
): unknown {
	const named = headers.map(([name, value]) => [name.toLowerCase(), value]);
	return new Webhook(secret).verify(body.toString(), Object.fromEntries(named));
}

const recordsOf = (lines: readonly string[], kind: string) =>
	lines.map((text) => JSON.parse(text)).filter((one) => one.kind === kind);

describe("listen --forward-to", () => {
	it("sends on the bytes and headers that came, so that the target can verify them, and tells how it answered", async () => {
		const target = await openRecorder({ answer: () => [200, "thanks"] });
		const flags = ["--forward-header", "X-Stage: dev", "-o", "records"];
		const listener = await openListener([...forwardTo(target.url), ...flags]);
		const body = eventText("evt_1");
		expect(await listener.send(body)).toBe(204);
		await listener.run.stdout.until(/"kind":"forwarded"/);
		const { lines } = await listener.stop();
		const [request] = target.requests;
		if (!request) throw new Error("nothing arrived");
		verify(request);
		expect(request.body.toString()).toBe(body);
		expect(request.method).toBe("POST");
		expect(request.header("webhook-id")).toBe("msg_1");
		expect(request.header("x-mcp-subscription-id")).toBe("sub_1");
		expect(request.header("content-type")).toBe("application/json");
		expect(request.header("x-stage")).toBe("dev");
		expect(request.header("host")).toBe(`127.0.0.1:${target.port}`);
		const [event] = recordsOf(lines, "event");
		expect(recordsOf(lines, "forwarded")).toMatchObject([
			{
				id: "evt_1",
				to: target.url,
				status: 200,
				latencyMs: expect.any(Number),
				bodyStart: "thanks",
				capture: event.capture,
			},
		]);
	});

	it("sends events of a name to the targets of that name, and nothing that was refused", async () => {
		const all = await openRecorder();
		const paid = await openRecorder();
		const flags = forwardTo(all.url, `orders.paid=${paid.url}`);
		const listener = await openListener(flags);
		expect(await listener.send("{}", { secretText: OTHER_TEXT })).toBe(401);
		await listener.send(eventText("evt_1"), { id: "msg_1" });
		await listener.send(eventText("evt_2", "orders.paid"), { id: "msg_2" });
		await listener.run.stderr.until(/forwarded evt_2 to \S+: 204/);
		await expect.poll(() => all.requests.length).toBe(2);
		await expect.poll(() => paid.requests.length).toBe(1);
		expect(paid.requests[0]?.header("webhook-id")).toBe("msg_2");
		expect((await listener.stop()).stderr).not.toContain("forwarded msg_1");
	});

	it("forwards what does not verify where that is asked for, with a warning, and refuses its sender all the same", async () => {
		const target = await openRecorder();
		const flags = [...forwardTo(target.url), "--forward-unverified"];
		const listener = await openListener(flags);
		expect(await listener.send("{}", { secretText: OTHER_TEXT })).toBe(401);
		await listener.run.stderr.until(/forwarded msg_1 to \S+: 204/);
		const { stderr, stdout } = await listener.stop();
		expect(stderr).toMatch(/warning: --forward-unverified/);
		expect(stdout).toBe("");
		expect(target.requests[0]?.body.toString()).toBe("{}");
	});

	it("acknowledges before a slow target answers, and shows the event", async () => {
		let answer = () => {};
		const target = await openRecorder({
			onRequest: () =>
				new Promise((resolve) => {
					answer = resolve;
				}),
		});
		const listener = await openListener(forwardTo(target.url));
		expect(await listener.send(eventText("evt_1"))).toBe(204);
		await listener.run.stdout.until(/evt_1/);
		await expect.poll(() => target.requests.length).toBe(1);
		expect(listener.run.stderr.text).not.toContain("forwarded");
		answer();
		await listener.run.stderr.until(/forwarded evt_1/);
		await listener.stop();
	});

	it("keeps the order in which deliveries came", async () => {
		const target = await openRecorder();
		const listener = await openListener(forwardTo(target.url));
		const ids = Array.from({ length: 20 }, (_, n) => `evt_${n}`);
		for (const id of ids) await listener.send(eventText(id), { id });
		await expect.poll(() => target.requests.length).toBe(20);
		expect(target.requests.map((one) => one.header("webhook-id"))).toEqual(ids);
		await listener.stop();
	});

	it.each([
		[302, "302"],
		[500, "500: out of order"],
	])("never follows or hides an answer of %i", async (status, told) => {
		const target = await openRecorder({
			answer: () => [status, status === 500 ? "out of order" : ""],
		});
		const listener = await openListener(forwardTo(target.url));
		await listener.send(eventText("evt_1"));
		await listener.run.stderr.until(
			new RegExp(`forwarded evt_1 to \\S+: ${told}`),
		);
		expect(target.requests).toHaveLength(1);
		await listener.stop();
	});

	it("tells of a target that is not there, and of the way to send it later", async () => {
		const listener = await openListener(
			forwardTo("http://127.0.0.1:9/hook?token=hush"),
		);
		expect(await listener.send(eventText("evt_1"))).toBe(204);
		const [line] = await listener.run.stderr.until(
			/forwarded evt_1.*ECONN.*\n/,
		);
		expect(line).toContain("http://127.0.0.1:9/hook?token=***: no answer");
		await listener.stop();
	});

	it("shows no secret of a target, in no form", async () => {
		const target = await openRecorder({ answer: () => 500 });
		const url = target.url.replace("//", "//me:hush1@");
		const flags = [
			...forwardTo(`${url}?key=hush2`),
			...["--forward-header", "Authorization: Bearer hush3"],
			...["-o", "records", "--verbose"],
		];
		const listener = await openListener(flags);
		await listener.send(eventText("evt_1"));
		await listener.run.stdout.until(/"kind":"forwarded"/);
		const { stdout, stderr } = await listener.stop();
		expect(target.requests[0]?.header("authorization")).toBe("Bearer hush3");
		expect(stdout + stderr).not.toContain("hush");
	});

	it("trusts the certificates of --ca", async () => {
		const tls = join(import.meta.dirname, "../fixtures/tls");
		const key = readFileSync(join(tls, "localhost.key"));
		const cert = readFileSync(join(tls, "localhost.pem"));
		const target = await openRecorder({ tls: { cert, key } });
		const url = `https://localhost:${target.port}/hook`;
		const flags = [...forwardTo(url), "--ca", join(tls, "ca.pem")];
		const listener = await openListener(flags);
		await listener.send(eventText("evt_1"));
		await listener.run.stderr.until(/forwarded evt_1 to https:\S+: 204/);
		await listener.stop();
	});

	it("goes through the proxy of the environment to remote targets, and never to this machine", async () => {
		const proxy = await openRecorder();
		const target = await openRecorder();
		const remote = "http://handler.example/hook";
		const env = { http_proxy: `http://127.0.0.1:${proxy.port}` };
		const flags = forwardTo(remote, target.url);
		const listener = await openListener(flags, { env });
		await listener.send(eventText("evt_1"));
		await listener.run.stderr.until(/forwarded evt_1 to http:\/\/127\S+: 204/);
		await listener.run.stderr.until(/forwarded evt_1 to http:\/\/h\S+: 204/);
		expect(proxy.requests.map(({ path }) => path)).toEqual([remote]);
		expect(target.requests.map(({ path }) => path)).toEqual(["/hook"]);
		await listener.stop();
	});

	it("forwards what a subscription brings, a gap too, but answers the verification itself", async () => {
		await using sender = await openWebhookSender();
		const target = await openRecorder();
		const words = [sender.url, "orders.created", ...forwardTo(target.url)];
		const run = startCli(["listen", ...words, "-n", "2"]);
		await run.stderr.until(/ready, by webhook/);
		sender.emit("evt_1");
		await sender.until(() => sender.acknowledged.has("evt_1"));
		await sender.sendEnvelope({ type: "gap", cursor: "9" });
		sender.emit("evt_2");
		expect((await run.done).status).toBe(0);
		const secret = sender.asked.findLast(
			({ method }) => method === "events/subscribe",
		)?.params.delivery.secret;
		for (const request of target.requests) verify(request, secret);
		const bodies = target.requests.map(({ body }) => JSON.parse(`${body}`));
		expect(bodies.map(({ eventId, type }) => eventId ?? type)).toEqual([
			...["evt_1", "gap", "evt_2"],
		]);
	});

	it("gives what is under way at the end a little time, then says how to send it later", async () => {
		const target = await openRecorder({
			onRequest: ({ header }) =>
				header("webhook-id") === "msg_1"
					? Promise.resolve()
					: new Promise(() => {}),
		});
		const listener = await openListener([
			...forwardTo(target.url),
			...["-o", "records"],
		]);
		for (const n of [1, 2, 3])
			await listener.send(eventText(`evt_${n}`), { id: `msg_${n}` });
		await expect.poll(() => target.requests.length).toBe(2);
		// What would take longer than that is cut off, and tells nothing of what follows.
		const { lines, status } = await listener.stop();
		expect(status).toBe(143);
		const [first, ...late] = recordsOf(lines, "forwarded");
		expect(first).toMatchObject({ id: "evt_1", status: 204 });
		expect(late).toHaveLength(2);
		for (const { capture, fault, status } of late) {
			expect(status).toBeNull();
			expect(fault.code).toBe("not-handed-on");
			expect(fault.next).toBe(
				`mcp-events replay ${capture} --to ${target.url}`,
			);
		}
		expect(recordsOf(lines, "stopped")).toHaveLength(1);
	});
});

describe("listen --forward-to --relay-status", () => {
	const relay = ["--relay-status", "-o", "records"];

	it("answers by the target's status, hands a repetition to it again, and shows and keeps the event once", async () => {
		const target = await openRecorder({ answer: (n) => (n === 0 ? 500 : 202) });
		const listener = await openListener([...forwardTo(target.url), ...relay]);
		const body = eventText("evt_1");
		expect(await listener.send(body)).toBe(500);
		expect(await listener.send(body)).toBe(202);
		expect(await listener.send(body)).toBe(202);
		const { lines } = await listener.stop();
		expect(target.requests).toHaveLength(2);
		expect(recordsOf(lines, "event")).toHaveLength(1);
		const valid = ["--verdict", "valid"];
		const list = ["captures", "list", "--state", listener.folder, ...valid];
		const captures = (await runCli(list)).lines.map((text) => JSON.parse(text));
		expect(captures).toMatchObject([{ body, answer: { status: null } }]);
		expect(recordsOf(lines, "forwarded").map(({ status }) => status)).toEqual([
			500, 202,
		]);
	});

	it.each([
		["is not there", 502, "http://127.0.0.1:9/hook"],
		["does not answer in time", 504, undefined],
	])("answers for a target that %s with %i", async (_what, status, url) => {
		const silent = await openRecorder({
			onRequest: () => new Promise(() => {}),
		});
		const flags = forwardTo(url ?? silent.url);
		const listener = await openListener([
			...[...flags, ...relay],
			...["--timeout", "1s"],
		]);
		expect(await listener.send(eventText("evt_1"))).toBe(status);
		await listener.stop();
	});
});

it.each([
	[
		["--relay-status"],
		"--relay-status is given without --forward-to or --exec",
	],
	[["--forward-unverified"], "--forward-unverified is given without"],
	[["--forward-header", "A: b"], "--forward-header is given without"],
	[
		["--forward-to", "localhost:3000"],
		"next: --forward-to http://localhost:3000/hook",
	],
	[["--secret-file", "nope"], "next: make one: mcp-events secret > nope"],
	[["--forward-to", "hush"], "neither an http or https URL nor NAME=URL"],
	[
		["--forward-to", "http://h/", "--forward-header", "hush"],
		"a --forward-header has no name",
	],
	[
		["--forward-to", "http://h/", "--forward-header", "a: \u0001"],
		"cannot be sent as it is",
	],
	[["--exec", "node 'hush"], "a quote or a backslash that leads nowhere"],
	[["--exec", " "], "the command of --exec is empty"],
])("listen refuses %j", async (flags, what) => {
	const { status, stderr } = await runCli(["listen", ...flags]);
	expect(status).toBe(2);
	expect(stderr).toContain(what);
	expect(stderr).not.toContain("hush");
});
