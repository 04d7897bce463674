// Flaws of push as a client sees them, where the grader's own tests do not already look at each of them.
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../../../src/grade/index.ts";
import { FLAWS, parseFlaws } from "../../../src/reference/index.ts";
import {
	isMethod,
	openControlledServer,
	STEADY,
	until,
} from "../open-controlled-server.ts";
import { post, SUBSCRIPTION, streamMessages, take } from "../wire-client.ts";

const FLAWS_OF_PUSH = FLAWS.filter(
	({ scenario }) => scenario === "events-push",
);

const serve = (...faults: string[]) =>
	openControlledServer({ flaws: parseFlaws(faults), heartbeatMs: 20 });

describe("the flaws of push", () => {
	it("are one at least for each rule that HTTP can show", () => {
		const rules = CATALOGUE.filter(
			({ scenario, transport }) =>
				scenario === "events-push" && transport !== "stdio",
		).map(({ id }) => id);
		const broken = new Set(FLAWS_OF_PUSH.map(({ rule }) => rule));
		expect([...broken].sort()).toEqual(rules.sort());
	});
});

describe("a stream with a flaw", () => {
	it("names its number as text", async () => {
		await using server = await serve("subscription-id-as-text");
		const messages = streamMessages(server.url, { name: STEADY }, { id: 7 });
		const { value } = await messages.next();
		expect(value.params._meta[SUBSCRIPTION]).toBe("7");
		await messages.return(undefined);
	});

	it("is alive by comments", async () => {
		await using server = await serve("heartbeat-as-comment");
		const response = await post(server.url, "events/stream", { name: STEADY });
		const reader = response.body?.getReader();
		let text = "";
		while (!text.includes(": keepalive"))
			text += new TextDecoder().decode((await reader?.read())?.value);
		expect(text).not.toContain("events/heartbeat");
		await reader?.cancel();
	});

	it("is one of two at most", async () => {
		await using server = await serve("streams-count-as-requests");
		const open = [1, 2].map(() => streamMessages(server.url, { name: STEADY }));
		for (const messages of open) await messages.next();
		const third = await post(server.url, "events/stream", { name: STEADY });
		expect(await third.json()).toMatchObject({
			error: { data: { limit: "requests", max: 2 } },
		});
		for (const messages of open) await messages.return(undefined);
	});

	it("begins again with the later of two events", async () => {
		await using server = await serve("resumed-pairs-swapped");
		const fresh = streamMessages(server.url, { name: STEADY });
		const event = await until(fresh, isMethod("/event"));
		await fresh.return(undefined);
		const { cursor, data } = event.params;
		const again = streamMessages(server.url, { name: STEADY, cursor });
		const two = (await take(again, 12)).filter(isMethod("/event")).slice(0, 2);
		await again.return(undefined);
		expect(two.map(({ params }) => params.data.n - data.n)).toEqual([2, 1]);
	});

	it("goes on after it was over", async () => {
		await using server = await serve("goes-on-after-terminated");
		const messages = streamMessages(server.url, { name: STEADY });
		await until(messages, isMethod("/event"));
		await server.control("terminate", { name: STEADY });
		await until(messages, isMethod("/terminated"));
		expect((await messages.next()).value).toSatisfy(isMethod("/event"));
		await messages.return(undefined);
	});
});
