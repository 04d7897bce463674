// Every answer to server/discover, and what follows from it, over both transports (base.md).
import { afterEach, describe, expect, it } from "vitest";
import { openSession, type Session } from "../../src/session/index.ts";
import { answerOf } from "../fixtures/servers/eras.mjs";
import {
	answerJson,
	type Listening,
	listen,
	readBody,
} from "../fixtures/servers/listen.ts";
import { childTarget, httpTarget, sessionOptions } from "./session-options.ts";

const open: { close(): Promise<void> }[] = [];
const keep = <T extends { close(): Promise<void> }>(closable: T): T => {
	open.push(closable);
	return closable;
};
afterEach(async () => {
	for (const closable of open.splice(0).reverse()) await closable.close();
});

/** An HTTP server of an era; `status` is what its errors come under. */
async function serveEra(era: string, status: number): Promise<Listening> {
	return keep(
		await listen(async (request, response) => {
			if (request.method !== "POST") return response.writeHead(405).end();
			const message = JSON.parse(await readBody(request));
			const answer = answerOf(message, era);
			if (!answer) return response.writeHead(202).end();
			answerJson(response, answer.error ? status : 200, JSON.stringify(answer));
		}),
	);
}

async function openEra(transport: string, era: string, status: number) {
	const isSilent = era === "silent to discover";
	const kept = sessionOptions(isSilent ? { probeSilenceMs: 300 } : {});
	const target =
		transport === "stdio"
			? childTarget("eras-stdio.mjs", era)
			: httpTarget((await serveEra(era, status)).url);
	const session: Session = keep(await openSession(target, kept.options));
	return { session, ...kept };
}

describe.each([["stdio"], ["http"]])("over %s", (transport) => {
	it.each([
		["modern", 400, "modern", "2026-07-28"],
		["dual", 400, "modern", "2026-07-28"],
		["legacy", 200, "legacy", "2025-11-25"],
		["legacy", 400, "legacy", "2025-11-25"],
		["legacy at 2025-03-26", 400, "legacy", "2025-03-26"],
		["agreeing to 2026-07-28", 200, "legacy", "2026-07-28"],
		["refusing with a list", 200, "legacy", "2025-06-18"],
		["of the future, with a past", 400, "legacy", "2025-06-18"],
		["with bad parameters", 200, "legacy", "2025-11-25"],
	])(
		"a server %s (errors under %i) is %s at %s",
		async (era, status, kind, version) => {
			const { session, notes } = await openEra(transport, era, status);
			expect(session.server).toMatchObject({
				era: kind,
				protocolVersion: version,
				name: "eras",
				version: "1.0",
				events: { listChanged: false },
			});
			expect(notes.join("\n")).toContain(
				`eras 1.0 speaks MCP ${version} (${kind}`,
			);
		},
	);

	it.each([
		["legacy at 2024-11-05", /speaks only MCP 2024-11-05/, /2025-11-25/],
		[
			"legacy at an unknown revision",
			/no protocol revision in common/,
			/"1999-01-01"; we know 2026-07-28, 2025-11-25/,
		],
		[
			"of the future",
			/no protocol revision in common/,
			/"2027-01-01"; we know 2026-07-28/,
		],
	])("a server %s is left", async (era, what, why) => {
		await expect(openEra(transport, era, 400)).rejects.toMatchObject({
			code: "version-unsupported",
			what: expect.stringMatching(what),
			why: expect.stringMatching(why),
		});
	});

	it("a modern error is no reason to fall back", async () => {
		await expect(
			openEra(transport, "missing a capability", 400),
		).rejects.toMatchObject({
			code: "rpc-error",
			wire: { name: "MissingRequiredClientCapability" },
		});
	});
});

describe("over HTTP alone", () => {
	const answering = async (status: number, body: string) =>
		keep(
			await listen(async (request, response) => {
				const message = JSON.parse(await readBody(request));
				if (message.method === "server/discover")
					return answerJson(response, status, body);
				const answer = answerOf(message, "legacy");
				if (!answer) return response.writeHead(202).end();
				answerJson(response, 200, JSON.stringify(answer));
			}),
		);
	const rpcError = (code: number) =>
		`{"jsonrpc":"2.0","id":null,"error":{"code":${code},"message":"m"}}`;

	it.each([
		[400, ""],
		[400, rpcError(-32000)],
		[404, "<html>"],
		[405, ""],
		[406, ""],
		[422, "{}"],
		[200, ""],
		[200, "<html>"],
		[200, rpcError(-32601)],
	])("HTTP %i with the body %j leads to initialize", async (status, body) => {
		const { url } = await answering(status, body);
		const session = keep(
			await openSession(httpTarget(url), sessionOptions().options),
		);
		expect(session.server.era).toBe("legacy");
	});

	it.each([
		[401, "", "unauthorized"],
		[401, rpcError(-32001), "unauthorized"],
		[403, "", "http-forbidden"],
		[403, rpcError(-32600), "http-forbidden"],
		[429, "", "rate-limited"],
		[500, "", "server-failing"],
		[503, rpcError(-32000), "server-failing"],
	])(
		"HTTP %i with the body %j says nothing of the era",
		async (status, body, code) => {
			const { url } = await answering(status, body);
			await expect(
				openSession(httpTarget(url), sessionOptions().options),
			).rejects.toMatchObject({ code });
		},
	);

	it("-32601 under 404 is a modern server, of which nothing is known", async () => {
		const { url } = await answering(404, rpcError(-32601));
		const session = keep(
			await openSession(httpTarget(url), sessionOptions().options),
		);
		expect(session.server).toMatchObject({ era: "modern", events: undefined });
	});
});

describe("over stdio alone", () => {
	it("silence counts as legacy", async () => {
		const { session, notes } = await openEra(
			"stdio",
			"silent to discover",
			200,
		);
		expect(session.server.era).toBe("legacy");
		expect(notes).toContain(
			"no answer to server/discover within 300 ms: trying initialize",
		);
	});

	it("a modern server that is slow to start is still found out", async () => {
		const { options } = sessionOptions({ probeSilenceMs: 50 });
		const target = childTarget("eras-stdio.mjs", "modern", "slow to start");
		const session = keep(await openSession(target, options));
		expect(session.server.era).toBe("modern");
	});

	it("a modern server whose late answer comes together with a refusal is found out too", async () => {
		const { options } = sessionOptions({ probeSilenceMs: 50 });
		const target = childTarget(
			"eras-stdio.mjs",
			"modern",
			"answers two at once",
		);
		const session = keep(await openSession(target, options));
		expect(session.server.era).toBe("modern");
	});

	it("a server that ends at anything but initialize is started again, with that", async () => {
		const { options, notes, stderr } = sessionOptions();
		const target = childTarget(
			"eras-stdio.mjs",
			"legacy",
			"wants initialize first",
		);
		const session = keep(await openSession(target, options));
		expect(session.server.era).toBe("legacy");
		expect(notes.join()).toContain("started again, with initialize");
		expect(stderr).toEqual(["expected initialize"]);
	});

	it("a command that only ends is heard once", async () => {
		const { options, stderr } = sessionOptions();
		const target = {
			...childTarget("", ""),
			args: ["-e", "console.error('oops'); process.exit(4)"],
		};
		await expect(openSession(target, options)).rejects.toMatchObject({
			code: "child-ended",
			what: "the server command ended with status 4",
		});
		expect(stderr).toEqual(["oops"]);
	});

	it("the opening ends with its signal", async () => {
		const { options } = sessionOptions({ signal: AbortSignal.timeout(200) });
		const target = {
			...childTarget("", ""),
			args: [
				"-e",
				"setInterval(() => {}, 1000); process.stdin.on('end', () => process.exit()).resume()",
			],
		};
		await expect(openSession(target, options)).rejects.toMatchObject({
			name: "TimeoutError",
		});
	});
});
