import { describe, expect, it } from "vitest";
import { parseMessage, payloadSpan } from "../../src/protocol/message.ts";

const read = (text: string) => parseMessage(Buffer.from(text));

describe("a JSON-RPC message", () => {
	it.each([
		['{"jsonrpc":"2.0","id":1,"result":{}}', { kind: "result", id: 1 }],
		['{"jsonrpc":"2.0","id":"a","result":{}}', { kind: "result", id: "a" }],
		[
			'{"jsonrpc":"2.0","id":1,"error":{"code":-32011,"message":"no"}}',
			{
				kind: "error",
				error: { name: "NotFound", code: -32011, message: "no" },
			},
		],
		[
			'{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}',
			{
				kind: "error",
				id: undefined,
				error: { name: "ParseError", code: -32700, message: "" },
			},
		],
		[
			'{"jsonrpc":"2.0","method":"a/b"}',
			{ kind: "notification", method: "a/b", params: {} },
		],
		[
			'{"jsonrpc":"2.0","id":2,"method":"ping"}',
			{ kind: "request", id: 2, method: "ping" },
		],
	])("is read: %s", (text, expected) => {
		expect(read(text)).toMatchObject(expected);
	});

	it.each([
		["an array", "[]"],
		["a string", '"x"'],
		["no jsonrpc member", '{"id":1,"result":{}}'],
		["neither method nor id", '{"jsonrpc":"2.0","result":{}}'],
		["an id that is null", '{"jsonrpc":"2.0","id":null,"result":{}}'],
		["an id that is a fraction", '{"jsonrpc":"2.0","id":1.5,"result":{}}'],
		["a result that is an array", '{"jsonrpc":"2.0","id":1,"result":[]}'],
		["an error without a code", '{"jsonrpc":"2.0","id":1,"error":{}}'],
		[
			"an error code beyond integers",
			'{"jsonrpc":"2.0","id":1,"error":{"code":1e400}}',
		],
		["params that are an array", '{"jsonrpc":"2.0","method":"a","params":[1]}'],
	])("is refused: %s", (_name, text) => {
		expect(() => read(text)).toThrow(
			expect.objectContaining({ code: "wrong-shape", exitStatus: 5 }),
		);
	});

	it("tells where its payload stands", () => {
		const message = read('{"params":{"a":1.0},"method":"m","jsonrpc":"2.0"}');
		const span = payloadSpan(message, "params");
		expect(message.bytes.toString("utf8", span?.start, span?.end)).toBe(
			'{"a":1.0}',
		);
	});
});
