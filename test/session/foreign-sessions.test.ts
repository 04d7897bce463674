// Sessions with servers that share no code with ours: both SDKs, over both transports.
import { afterEach, describe, expect, it } from "vitest";
import {
	askPoll,
	findEventTypes,
	openEventStream,
	openSession,
	type SessionTarget,
	type StreamFrame,
} from "../../src/session/index.ts";
import { sdkCatalogue, stdioServer } from "../fixtures/servers/catalogue.ts";
import { openSdk1Http } from "../fixtures/servers/sdk1-http.ts";
import { openSdk2Http } from "../fixtures/servers/sdk2-http.ts";
import { httpTarget, sessionOptions } from "./session-options.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const closable of open.splice(0).reverse()) await closable.close();
});

const overHttp = async (
	server: Promise<{ url: string; close(): Promise<void> }>,
) => {
	const listening = await server;
	open.push(listening);
	return httpTarget(listening.url);
};
const overStdio = async (
	program: "sdk1-stdio" | "sdk2-stdio",
): Promise<SessionTarget> => {
	const [command = "", ...args] = stdioServer(program, sdkCatalogue()).command;
	return { kind: "stdio", command, args, env: process.env };
};

describe.each([
	["2.x over HTTP", "modern", () => overHttp(openSdk2Http())],
	["2.x over stdio", "modern", () => overStdio("sdk2-stdio")],
	["1.x over HTTP", "legacy", () => overHttp(openSdk1Http())],
	["1.x over stdio", "legacy", () => overStdio("sdk1-stdio")],
] as const)("the official SDK %s (%s)", (_, era, makeTarget) => {
	it("lists, polls and streams the same events", async () => {
		const { options } = sessionOptions();
		const session = await openSession(await makeTarget(), options);
		open.push(session);
		expect(session.server).toMatchObject({
			era,
			events: { listChanged: false },
		});
		const odd = () => {};
		const [type] = await findEventTypes(session, ["verbatim.case"], { odd });
		const about = { name: type?.name ?? "", arguments: {}, cursor: "0" };
		const polled = await askPoll(session, about, { odd });
		const streamed: StreamFrame[] = [];
		for await (const frames of openEventStream(session, about, { odd })) {
			streamed.push(...frames);
			if (streamed.length > polled.occurrences.length) break;
		}
		expect(streamed[0]?.kind).toBe("active");
		const ids = streamed.flatMap((frame) =>
			frame.kind === "event" ? [frame.occurrence.eventId] : [],
		);
		expect(polled.occurrences.length).toBeGreaterThan(0);
		expect(ids.slice(0, polled.occurrences.length)).toEqual(
			polled.occurrences.map(({ eventId }) => eventId),
		);
	});
});
