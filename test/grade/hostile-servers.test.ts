// Servers that would fool a grader, or drown it: verdicts are honest, every row has one, and the end comes in time.
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { CATALOGUE, SCENARIOS } from "../../src/grade/index.ts";
import { openEventsDouble } from "../fixtures/servers/events-double.ts";
import { answerJson, listen, readBody } from "../fixtures/servers/listen.ts";
import { gradeWith } from "./grade-with.ts";

/** Rows of a run that asks for nothing more. */
const ROWS = CATALOGUE.filter(({ scenario }) =>
	SCENARIOS.some((usual) => usual === scenario),
);

type Answer = (response: ServerResponse, id: unknown, method: string) => void;

const json = (response: ServerResponse, value: unknown) =>
	answerJson(response, 200, JSON.stringify(value));

const events = (response: ServerResponse) =>
	response.writeHead(200, { "content-type": "text/event-stream" });

const HEARTBEAT = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/events/heartbeat", params: { cursor: null } })}\n\n`;

function writeForEver(response: ServerResponse, text: string, everyMs: number) {
	const timer = setInterval(() => response.write(text), everyMs);
	response.on("close", () => clearInterval(timer));
}

const hostile: [what: string, answer: Answer][] = [
	[
		"answers everything with success",
		(response, id) => json(response, { jsonrpc: "2.0", id, result: {} }),
	],
	["answers nothing", (response) => response.writeHead(200).end()],
	[
		"answers with a web page",
		(response) =>
			response
				.writeHead(200, { "content-type": "text/html" })
				.end("<html>hello</html>"),
	],
	[
		"redirects",
		(response) =>
			response.writeHead(302, { location: "http://127.0.0.1:1/mcp" }).end(),
	],
	[
		"answers with 10 MB",
		(response, id) =>
			json(response, { jsonrpc: "2.0", id, result: { a: "x".repeat(10e6) } }),
	],
	[
		"answers with a stream that never ends",
		(response) => writeForEver(events(response), ": \n\n", 20),
	],
	[
		"answers with a frame every millisecond",
		(response) => writeForEver(events(response), HEARTBEAT, 1),
	],
	[
		"answers another request",
		(response) =>
			json(response, {
				jsonrpc: "2.0",
				id: "another",
				result: { resultType: "complete", events: [] },
			}),
	],
	[
		"answers with JSON that is nested without end",
		(response) =>
			answerJson(response, 200, "[".repeat(200_000) + "]".repeat(200_000)),
	],
	["cuts every connection", (response) => response.destroy()],
];

describe("a server that", () => {
	it.each(hostile)(
		"%s passes no rule of its own merit",
		async (_what, answer) => {
			await using server = await listen(async (request, response) => {
				const { id, method } = JSON.parse(await readBody(request));
				answer(response, id, method);
			});
			const startedAtMs = Date.now();
			const { report, defects, verdictOf } = await gradeWith(server.url, {
				timeoutMs: 150,
				waits: { listenAcknowledgedMs: 100 },
			});
			expect(Date.now() - startedAtMs).toBeLessThan(15_000);
			expect(defects).toEqual([]);
			expect(report.rows).toHaveLength(ROWS.length);
			expect(verdictOf("events-discovery/list-implemented")).toBe("FAILURE");
			expect(report.counts.SUCCESS).toBeLessThanOrEqual(1);
			expect(JSON.stringify(report).length).toBeLessThan(2_000_000);
		},
	);
});

describe("a run", () => {
	it("has the same rows whatever the server is", async () => {
		await using good = await openEventsDouble();
		await using empty = await listen((_request, response) => {
			response.writeHead(500).end();
		});
		const rows = async (url: string) =>
			(await gradeWith(url)).report.rows.map(
				({ scenario, id }) => `${scenario}/${id}`,
			);
		expect(await rows(good.url)).toEqual(await rows(empty.url));
	});

	it("that is stopped still has a verdict for every row", async () => {
		const stop = new AbortController();
		await using server = await listen(() => stop.abort(new Error("enough")));
		const { report, verdictOf } = await gradeWith(server.url, {
			signal: stop.signal,
		});
		expect(report.isComplete).toBe(false);
		expect(report.rows).toHaveLength(ROWS.length);
		expect(verdictOf("events-discovery/list-implemented")).toBe("UNTESTABLE");
	});

	it("ends when its budget is used up", async () => {
		await using server = await listen(() => {});
		const { report } = await gradeWith(server.url, { budgetMs: 200 });
		expect(report.isComplete).toBe(false);
		expect(report.durationMs).toBeLessThan(2_000);
	});

	it("keeps no more of huge batches than it has room for, and says so", async () => {
		let sent = 0;
		await using server = await openEventsDouble({
			answers: {
				"events/poll": ({ cursor, name }) => {
					const next = String(cursor === null ? sent : ++sent);
					const batch = {
						eventId: next,
						name,
						timestamp: new Date().toISOString(),
						data: { pad: "x".repeat(3e6) },
						cursor: next,
					};
					const events = cursor === null ? [] : [batch];
					const rest = { cursor: next, hasMore: true, truncated: false };
					return { result: { resultType: "complete", events, ...rest } };
				},
			},
		});
		const { messageOf } = await gradeWith(server.url, {
			scenarios: ["events-poll"],
		});
		expect(messageOf("events-poll/poll-has-more")).toMatch(
			/^so on all \d+ results; \d+ more were too large to keep$/,
		);
		expect(messageOf("events-poll/result-type-complete")).toMatch(
			/; \d+ more were too many or too large to keep$/,
		);
	});

	it("throws where nobody listens", async () => {
		await expect(gradeWith("http://127.0.0.1:1/mcp")).rejects.toMatchObject({
			code: "connection-refused",
		});
	});

	it("throws where nobody is let in", async () => {
		await using server = await listen((_request, response) => {
			response.writeHead(401).end();
		});
		await expect(gradeWith(server.url)).rejects.toMatchObject({
			code: "unauthorized",
		});
	});

	it("shows no credential, however often the server repeats it", async () => {
		const secret = "tok-3e0b7f1d9c";
		await using server = await listen((request, response) => {
			const { authorization } = request.headers;
			answerJson(
				response,
				200,
				JSON.stringify({
					jsonrpc: "2.0",
					id: null,
					error: { code: -32603, message: `bad ${authorization}` },
				}),
			);
		});
		const { report } = await gradeWith({
			kind: "http",
			url: new URL(server.url),
			headers: [],
			bearer: secret,
			env: {},
		});
		expect(JSON.stringify(report)).toContain("bad Bearer ***");
		expect(JSON.stringify(report)).not.toContain(secret);
	});
});
