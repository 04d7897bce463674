import { describe, expect, it } from "vitest";
import {
	forwardableHeaders,
	requestHeaders,
} from "../../src/handlers/forward-headers.ts";
import type { HeaderPair } from "../../src/protocol/index.ts";

const body = Buffer.from("{}");
const url = new URL("http://handler.example:8080/hook");

describe("the headers that go on to a handler", () => {
	it("keep their order, their case and their repetitions", () => {
		const headers: HeaderPair[] = [
			["webhook-ID", "msg_1"],
			["X-Twice", "a"],
			["x-twice", "b"],
		];
		expect(forwardableHeaders(headers)).toEqual(headers);
	});

	it.each([
		"Host",
		"Content-Length",
		"Connection",
		"keep-alive",
		"Transfer-Encoding",
		"TE",
		"Upgrade",
		"Expect",
		"Proxy-Authorization",
	])("leave out %s, which was about the connection", (name) => {
		expect(forwardableHeaders([[name, "x"]])).toEqual([]);
	});

	it("leave out what Connection names, but never a header of the signature", () => {
		const headers: HeaderPair[] = [
			["Connection", "close, X-Hop, webhook-id"],
			["X-Hop", "1"],
			["webhook-id", "msg_1"],
		];
		expect(forwardableHeaders(headers)).toEqual([["webhook-id", "msg_1"]]);
	});

	it("name the handler's host and the body's length, with what is added in place of its like", () => {
		const headers: HeaderPair[] = [
			["Host", "sender.example"],
			["authorization", "old"],
		];
		const added: HeaderPair[] = [["Authorization", "new"]];
		expect(requestHeaders({ headers, body }, { url, added })).toEqual([
			["Host", "handler.example:8080"],
			["Authorization", "new"],
			["Content-Length", "2"],
		]);
	});

	it.each([
		["a line feed", "X-A", "1\r\nX-B: 2"],
		["a character outside Latin-1", "X-A", "\u2028"],
		["a name with a space", "X A", "1"],
		["a name that ends the head", "X-A\r\n\r\nGET", "1"],
	])("are refused with %s", (_what, name, value) => {
		const send = () =>
			requestHeaders({ headers: [[name, value]], body }, { url, added: [] });
		expect(send).toThrow(expect.objectContaining({ code: "wrong-use" }));
	});
});
