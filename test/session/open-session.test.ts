// What goes over the wire in each era, and how a session lives on where a server forgets or ends.
import type { IncomingMessage } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { META } from "../../src/protocol/index.ts";
import { openSession, requireEvents } from "../../src/session/index.ts";
import { answerOf } from "../fixtures/servers/eras.mjs";
import { answerJson, listen, readBody } from "../fixtures/servers/listen.ts";
import { childTarget, httpTarget, sessionOptions } from "./session-options.ts";

const open: { close(): Promise<void> }[] = [];
const keep = <T extends { close(): Promise<void> }>(closable: T): T => {
	open.push(closable);
	return closable;
};
afterEach(async () => {
	for (const closable of open.splice(0).reverse()) await closable.close();
});

interface Wire {
	verb: string | undefined;
	headers: IncomingMessage["headers"];
	message:
		| { id: string; method: string; params: Record<string, unknown> }
		| undefined;
}
interface Special {
	status: number;
	text?: string;
	type?: string;
	/** The answer is left open. */
	stays?: boolean;
}

/** A server of an era that answers some messages in its own way, and a session with it. */
async function openWith(
	era: string,
	special: (wire: Wire) => Special | undefined = () => undefined,
) {
	const wire: Wire[] = [];
	const server = await listen(async (request, response) => {
		const text = await readBody(request);
		const message = text === "" ? undefined : JSON.parse(text);
		const seen = { verb: request.method, headers: request.headers, message };
		wire.push(seen);
		const own = special(seen);
		if (own) {
			response.writeHead(own.status, {
				"content-type": own.type ?? "application/json",
			});
			response.write(own.text ?? "");
			return own.stays || response.end();
		}
		const answer = message && answerOf(message, era);
		if (message?.method === "initialize")
			response.setHeader("Mcp-Session-Id", "s1");
		if (!answer) return response.writeHead(202).end();
		answerJson(response, answer.error ? 400 : 200, JSON.stringify(answer));
	});
	keep(server);
	const kept = sessionOptions();
	const session = keep(await openSession(httpTarget(server.url), kept.options));
	return { session, wire, ...kept };
}

const params = { name: "größe", arguments: {} };

describe("a request of the modern era", () => {
	it("carries its revision, who we are and what we can, with routing headers", async () => {
		const { session, wire } = await openWith("modern");
		await session.request("events/poll", params);
		const { headers, message } = wire.at(-1) as Wire;
		expect(message?.params).toEqual({
			...params,
			_meta: {
				[META.protocolVersion]: "2026-07-28",
				[META.clientInfo]: { name: "test", version: "0" },
				[META.clientCapabilities]: {
					extensions: { "io.modelcontextprotocol/events": {} },
				},
			},
		});
		expect(headers).toMatchObject({
			"mcp-protocol-version": "2026-07-28",
			"mcp-method": "events/poll",
			"mcp-name": "=?base64?Z3LDtsOfZQ==?=",
		});
		await session.request("events/list", {});
		expect(wire.at(-1)?.headers).not.toHaveProperty("mcp-name");
	});
});

describe("a session of the legacy era", () => {
	it("is initialized, keeps its id and its revision, and is deleted at the end", async () => {
		const { session, wire } = await openWith("legacy");
		await session.request("events/poll", params);
		await session.close();
		expect(wire.map(({ verb, message }) => message?.method ?? verb)).toEqual([
			"server/discover",
			"initialize",
			"notifications/initialized",
			"events/poll",
			"DELETE",
		]);
		expect(wire[1]?.message?.params).toMatchObject({
			protocolVersion: "2025-11-25",
			capabilities: { extensions: { "io.modelcontextprotocol/events": {} } },
		});
		for (const { headers } of wire.slice(2))
			expect(headers).toMatchObject({
				"mcp-session-id": "s1",
				"mcp-protocol-version": "2025-11-25",
			});
		expect(wire[3]?.message?.params).toEqual(params);
		expect(wire[3]?.headers).not.toHaveProperty("mcp-name");
	});

	it("names no revision in a header before 2025-06-18", async () => {
		const { session, wire } = await openWith("legacy at 2025-03-26");
		await session.request("events/poll", params);
		expect(wire.at(-1)?.headers).not.toHaveProperty("mcp-protocol-version");
	});

	it("is begun again once where the server forgot it", async () => {
		let isForgotten = true;
		const { session, wire } = await openWith("legacy", ({ message }) => {
			if (message?.method !== "events/poll" || !isForgotten) return undefined;
			isForgotten = false;
			return {
				status: 404,
				text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}',
			};
		});
		await session.request("events/poll", params);
		expect(wire.map(({ message }) => message?.method).slice(-5)).toEqual([
			"events/poll",
			"server/discover",
			"initialize",
			"notifications/initialized",
			"events/poll",
		]);
	});

	it("gives way to the modern era where the server was updated meanwhile", async () => {
		let isUpdated = false;
		const { session, wire } = await openWith("dual", ({ message }) => {
			if (isUpdated || !message) return undefined;
			isUpdated = message.method === "events/poll";
			const answer = answerOf(message, isUpdated ? "of the future" : "legacy");
			return answer && { status: 200, text: JSON.stringify(answer) };
		});
		expect(session.server.era).toBe("legacy");
		await session.request("events/poll", params);
		expect(session.server.era).toBe("modern");
		expect(wire.at(-1)?.headers).toHaveProperty("mcp-method");
	});

	it("is not begun again for ever", async () => {
		const { session } = await openWith("legacy", ({ message }) =>
			message?.method === "events/poll" ? { status: 404 } : undefined,
		);
		await expect(session.request("events/poll", params)).rejects.toMatchObject({
			code: "http-not-found",
		});
	});

	it("cancels what runs out of time, and what is left", async () => {
		const progress =
			'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n';
		const { session, wire } = await openWith("legacy", ({ message }) =>
			message?.method === "slow"
				? {
						status: 200,
						type: "text/event-stream",
						text: progress,
						stays: true,
					}
				: undefined,
		);
		await expect(
			session.request("slow", {}, { timeoutMs: 100 }),
		).rejects.toMatchObject({ code: "timed-out" });
		for await (const _ of session.openStream("slow", {})) break;
		await session.close();
		const asked = wire.filter(({ message }) => message?.method === "slow");
		const cancelled = wire.filter(
			({ message }) => message?.method === "notifications/cancelled",
		);
		expect(cancelled.map(({ message }) => message?.params.requestId)).toEqual(
			asked.map(({ message }) => message?.id),
		);
	});

	it("answers what the server asks on the way", async () => {
		const { session, wire } = await openWith("legacy", ({ message }) => {
			if (message?.method !== "events/poll") return undefined;
			const ping = '{"jsonrpc":"2.0","id":"p","method":"ping"}';
			const answer = JSON.stringify(answerOf(message, "legacy"));
			return {
				status: 200,
				type: "text/event-stream",
				text: `data: ${ping}\n\ndata: ${answer}\n\n`,
			};
		});
		await session.request("events/poll", params);
		await session.close();
		expect(wire.map(({ message }) => message)).toContainEqual({
			jsonrpc: "2.0",
			id: "p",
			result: {},
		});
	});
});

describe("an answer that is none", () => {
	const answering = (text: string) =>
		openWith("modern", ({ message }) =>
			message?.method === "events/poll"
				? { status: 200, text: text.replace("ID", JSON.stringify(message.id)) }
				: undefined,
		);
	it.each([
		['{"jsonrpc":"2.0","id":"other","result":{}}', "wrong-id"],
		[
			'{"jsonrpc":"2.0","id":"other","error":{"code":-32602,"message":"m"}}',
			"wrong-id",
		],
		[
			'{"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required"}}',
			"wrong-shape",
		],
		['{"jsonrpc":"2.0","id":ID,"result":{"resultType":7}}', "wrong-shape"],
		['{"jsonrpc":"2.0","id":ID,"result":[]}', "wrong-shape"],
		[
			'{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"m"}}',
			"arguments-refused",
		],
		['{"jsonrpc":"2.0","method":"x"}', "no-response"],
	])("%s is a fault: %s", async (text, code) => {
		const { session } = await answering(text);
		await expect(session.request("events/poll", params)).rejects.toMatchObject({
			code,
		});
	});

	it("that lacks only resultType is read, and told once", async () => {
		const { session, notes } = await answering(
			'{"jsonrpc":"2.0","id":ID,"result":{}}',
		);
		await session.request("events/poll", params);
		await session.request("events/poll", params);
		expect(notes.filter((note) => note.includes("resultType"))).toHaveLength(1);
	});
});

describe("over stdio", () => {
	it("a child that ended is started again by the next request", async () => {
		const { options, notes } = sessionOptions();
		const session = keep(
			await openSession(childTarget("eras-stdio.mjs", "legacy"), options),
		);
		await expect(session.request("die", {})).rejects.toMatchObject({
			code: "child-ended",
		});
		const { result } = await session.request("events/list", {});
		expect(result.heard).toEqual([
			"server/discover",
			"initialize",
			"notifications/initialized",
			"events/list",
		]);
		expect(notes).toContain("the server command is started again");
	});

	it("closing ends what is under way", async () => {
		const { options } = sessionOptions();
		const session = await openSession(
			childTarget("eras-stdio.mjs", "silent to discover"),
			{ ...options, probeSilenceMs: 50 },
		);
		const asked = expect(
			session.request("server/discover", {}),
		).rejects.toMatchObject({ code: "connection-failed" });
		await session.close();
		await asked;
	});
});

it("a server without Events is asked only by force", async () => {
	const { session } = await openWith("modern", ({ message }) =>
		message?.method === "server/discover"
			? {
					status: 200,
					text: JSON.stringify({
						jsonrpc: "2.0",
						id: message.id,
						result: {
							supportedVersions: ["2026-07-28"],
							capabilities: { tools: {}, extensions: { "x/y": {} } },
						},
					}),
				}
			: undefined,
	);
	requireEvents(session, true);
	expect(() => requireEvents(session)).toThrow(
		expect.objectContaining({
			code: "not-events",
			why: expect.stringContaining("it offers tools, x/y"),
			next: expect.stringContaining("--force"),
		}),
	);
});
