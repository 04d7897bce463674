import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { tellAnswer } from "../../../src/grade/wire/answer.ts";
import { subscriptionOf } from "../../../src/grade/wire/frame.ts";
import { openTestWire } from "./open-test-wire.ts";

const script = fileURLToPath(
	new URL("../../fixtures/servers/wire-stdio.mjs", import.meta.url),
);
const { wire, shaken, trail } = await openTestWire({
	kind: "stdio",
	command: process.execPath,
	args: [script],
	env: {},
});
afterAll(() => wire.close());

describe("a server over stdio", () => {
	it("is asked what it speaks", () => {
		expect(wire.era).toBe("modern");
		expect(shaken.capabilities).toEqual({});
		expect(trail.inbound).toHaveLength(1);
	});

	it.each([
		["answers with an error", "none", /^error -32601 \(MethodNotFound\)/],
		[
			"answers another request",
			"wrong-id",
			/^a response with the id "another"/,
		],
		["says nothing", "silent", /^no answer in 100 ms$/],
		["says what is no JSON", "no-json", /^no answer in 100 ms$/],
	])("that %s", async (_what, method, told) => {
		const isWaited = String(told).includes("100 ms");
		const timeoutMs = isWaited ? 100 : 10_000;
		const answer = await wire.ask(method, {}, { timeoutMs });
		expect(tellAnswer(answer)).toMatch(told);
	});

	it("can be sent anything", async () => {
		const answer = await wire.ask("none", {}, { raw: "{no json" });
		expect(tellAnswer(answer)).toMatch(/^error -32700 \(ParseError\)/);
	});

	it("has a stream's frames and those that belong to nobody, and late ones after a cancel", async () => {
		const stream = wire.openStream("events/stream", { name: "a.b" });
		await stream.waitFor((frame) => subscriptionOf(frame) === "nobody", 10_000);
		expect(stream.frames.map(subscriptionOf)).toEqual([stream.id, "nobody"]);
		await stream.cancel();
		await expect.poll(() => stream.frames.length).toBe(3);
		expect(stream.end?.kind).toBe("cancelled");
	});
});

describe("a command that ends", () => {
	it("ends what was asked, and is started again for the next handshake", async () => {
		const other = await openTestWire({
			kind: "stdio",
			command: process.execPath,
			args: [script],
			env: {},
		});
		const answer = await other.wire.ask("end", {});
		expect(tellAnswer(answer)).toBe("the command ended with status 3");
		expect(await other.wire.renew()).toBe(true);
		await other.wire.close();
	});

	it("is started again for what is asked next, and not for ever", async () => {
		const other = await openTestWire({
			kind: "stdio",
			command: process.execPath,
			args: [script],
			env: {},
		});
		const told = [];
		for (let asked = 0; asked < 12; asked++)
			told.push(tellAnswer(await other.wire.ask("end", {})));
		expect(told.slice(0, 11)).toEqual(
			Array(11).fill("the command ended with status 3"),
		);
		expect(told[11]).toBe("the command does not run");
		await other.wire.close();
	});

	it("that cannot be started is a fault", async () => {
		await expect(
			openTestWire({ kind: "stdio", command: "/no/such", args: [], env: {} }),
		).rejects.toMatchObject({ code: "child-not-started" });
	});
});
