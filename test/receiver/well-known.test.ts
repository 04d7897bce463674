import { describe, expect, it } from "vitest";
import { answerWellKnown } from "../../src/receiver/well-known.ts";

const ask = (method: string, ifNoneMatch?: string) =>
	answerWellKnown(
		{
			method,
			headers:
				ifNoneMatch === undefined ? [] : [["If-None-Match", ifNoneMatch]],
		},
		"/hooks/",
	);

describe("the well-known document", () => {
	it("lists exactly the prefix, and may be kept for a while", () => {
		const { status, headers, body } = ask("GET");
		expect(status).toBe(200);
		expect(JSON.parse(body ?? "")).toEqual({ receivers: ["/hooks/"] });
		expect(headers).toMatchObject({
			"content-type": "application/json",
			"cache-control": "public, max-age=300",
			"content-length": String(body?.length),
		});
	});

	it("has no body under HEAD, and the same headers", () => {
		expect(ask("HEAD")).toEqual({ status: 200, headers: ask("GET").headers });
	});

	it("is not sent again to who knows its ETag", () => {
		const etag = ask("GET").headers?.etag ?? "";
		for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"])
			expect(ask("GET", known)).toMatchObject({
				status: 304,
				headers: { etag },
			});
		expect(ask("GET", '"other"').status).toBe(200);
	});

	it("takes no other method", () => {
		expect(ask("POST")).toMatchObject({
			status: 405,
			headers: { allow: "GET, HEAD" },
		});
	});
});
