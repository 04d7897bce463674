import { describe, expect, it } from "vitest";
import {
	type Capture,
	parseRawRequests,
	writeRawRequest,
} from "../../src/captures/index.ts";

const parse = (text: string) => parseRawRequests(Buffer.from(text, "latin1"));

describe("HTTP text", () => {
	it.each([
		["CR LF", "\r\n"],
		["LF", "\n"],
	])("is read with %s line ends", (_name, end) => {
		const text = [
			"POST /a?b=1 HTTP/1.1",
			"Webhook-Id:  msg_1 ",
			"X: ",
			"",
			"{}",
		];
		expect(parse(text.join(end))).toEqual([
			{
				method: "POST",
				path: "/a?b=1",
				headers: [
					["Webhook-Id", "msg_1"],
					["X", ""],
				],
				body: Buffer.from("{}"),
			},
		]);
	});

	it("may begin with its headers", () => {
		const [request] = parse("webhook-id: msg_1\n\n{}");
		expect(request).toMatchObject({ method: "POST", path: "/" });
	});

	it("keeps a body byte for byte, empty lines and all", () => {
		const body = Buffer.from([0xff, 0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0a]);
		const head = Buffer.from("POST / HTTP/1.1\r\na: 1\r\n\r\n");
		const [request] = parseRawRequests(Buffer.concat([head, body]));
		expect(request?.body).toEqual(body);
	});

	it("may hold several requests, each as long as it says", () => {
		const one = (body: string) =>
			`POST / HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
		const bodies = parse(one("{}") + one('{"a":1}') + one("")).map(({ body }) =>
			body.toString(),
		);
		expect(bodies).toEqual(["{}", '{"a":1}', ""]);
	});

	it.each([
		["shorter than it says", "Content-Length: 9", "{}"],
		["longer than it says", "Content-Length: 1", "{}\n"],
	])("keeps a last body that is %s as it is", (_what, header, body) => {
		const [request] = parse(`POST / HTTP/1.1\r\n${header}\r\n\r\n${body}`);
		expect(request?.body.toString()).toBe(body);
	});

	it("joins a body that came in chunks", () => {
		const head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
		const [request] = parse(`${head}3\r\n{"a\r\n4;x=1\r\n":1}\r\n0\r\n\r\n`);
		expect(request?.body.toString()).toBe('{"a":1}');
	});

	it.each([
		["a body alone", "hello"],
		["a head without its end", "POST / HTTP/1.1\nwebhook-id: 1\nnot a header"],
		["chunks without a length", "Transfer-Encoding: chunked\n\nzz\n"],
	])("is refused where it is %s", (_what, text) => {
		expect(() => parse(text)).toThrow(
			expect.objectContaining({ code: "wrong-shape" }),
		);
	});
});

it("a capture written as HTTP text is read back as it was", () => {
	const capture: Capture = {
		id: "cap_1_00000000_1",
		receivedAtMs: 0,
		method: "POST",
		path: "/hooks/a",
		headers: [
			["Transfer-Encoding", "chunked"],
			["X-Latin", "caf\u00e9"],
		],
		body: Buffer.from([0xff, 0x0a]),
		verdict: { kind: "valid" },
		answer: { status: 204 },
	};
	expect(parseRawRequests(writeRawRequest(capture))).toEqual([
		{
			method: "POST",
			path: "/hooks/a",
			headers: [
				["X-Latin", "caf\u00e9"],
				["Content-Length", "2"],
			],
			body: capture.body,
		},
	]);
});
