// Notices of the catalogue: what is said of a server that promises none.
import { describe, expect, it } from "vitest";
import {
	type Hooks,
	type Json,
	NOTHING,
} from "../../../src/reference/flaws/flaw.ts";
import type { Bends } from "../../fixtures/servers/events-double.ts";
import { bentRow, hookedRow } from "./one-row.ts";

/** The settings of the extension in what a server says of itself. */
const settingsIn = ({ result }: Json): Json[] =>
	Object.values(result?.capabilities?.extensions ?? {});

/** Instead of an answer to subscriptions/listen, by the header that names the method. */
const listenBy = (
	answer: NonNullable<Bends["intercept"]>,
): Pick<Bends, "intercept"> => ({
	intercept: (request, response) =>
		request.headers["mcp-method"] === "subscriptions/listen" &&
		answer(request, response),
});

describe("a server that promises no notices, and whose subscriptions/listen", () => {
	const ROW = "capability-list-changed-gated";

	it("is refused, keeps the rule", async () => {
		expect(await bentRow({}, ROW)).toMatch(
			/^SUCCESS: nothing is promised: subscriptions\/listen is answered with error -32601 /,
		);
	});

	it("ends without a word, keeps the rule", async () => {
		const ended = listenBy((_request, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" }).end();
			return true;
		});
		expect(await bentRow(ended, ROW)).toMatch(
			/^SUCCESS: nothing is promised: subscriptions\/listen: /,
		);
	});

	it("says something else first, keeps the rule", async () => {
		const other = listenBy((_request, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			const notice = { jsonrpc: "2.0", method: "notifications/message" };
			return response.write(`data: ${JSON.stringify(notice)}\n\n`);
		});
		expect(await bentRow(other, ROW)).toMatch(/^SUCCESS: nothing is promised/);
	});

	it("is silent, was not tried", async () => {
		const silent = listenBy((_request, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.flushHeaders();
			return true;
		});
		expect(await bentRow(silent, ROW)).toBe(
			"UNTESTABLE: not tried, for want of an answer to subscriptions/listen: subscriptions/listen is answered with silence",
		);
	});
});

describe("a server that does not declare notices, and acknowledges none", () => {
	const acknowledging = (isSilent: boolean): Hooks => ({
		message(message) {
			for (const settings of settingsIn(message)) delete settings.listChanged;
			const { method, params } = message;
			if (method === "notifications/subscriptions/acknowledged")
				delete params.notifications.eventsListChanged;
			const isNotice = method === "notifications/events/list_changed";
			return isSilent && isNotice ? NOTHING : undefined;
		},
	});

	it.each([
		["sends one", false, "FAILURE: a notice came without the declaration"],
		["sends none", true, "SUCCESS: the filter leaves it out, and a change"],
	])("and %s", async (_what, isSilent, told) => {
		const row = "capability-list-changed-gated";
		expect(await hookedRow(acknowledging(isSilent), row)).toContain(told);
	});
});
