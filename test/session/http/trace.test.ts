import { expect, it } from "vitest";
import { readMessages } from "../../../src/session/http/batches.ts";
import type { Answer } from "../../../src/session/http/body.ts";
import { checkUserHeaders } from "../../../src/session/http/headers.ts";
import { makeTracer } from "../../../src/session/http/trace.ts";
import type { RpcTraceEntry } from "../../../src/session/transport.ts";
import { notification } from "./harness.ts";

const URL_ = new URL("http://host/");
const user = checkUserHeaders([], "secret", () => {});
const answer = { headers: { via: "a" } } as Partial<Answer> as Answer;
const batch = (at: number) => readMessages(Buffer.from(notification(at)));

it("tells the headers of an answer with its first message alone", () => {
	const entries: RpcTraceEntry[] = [];
	const tracer = makeTracer((entry) => entries.push(entry), URL_, user);
	tracer.received(answer, [...batch(1), ...batch(2)]);
	tracer.received(answer, batch(3));
	expect(entries.map(({ headers }) => headers)).toEqual([
		{ via: "a" },
		undefined,
		undefined,
	]);
});

it("does nothing where nobody listens", () => {
	const tracer = makeTracer(undefined, URL_, user);
	tracer.sent(user.pairs, "{}");
	tracer.received(answer, batch(1));
});
