// What has to be refused, by a server that is bent to refuse some of it, or in another way.
import { describe, expect, it } from "vitest";
import {
	type Bend,
	both,
	failure,
	gradeBent,
	INVALID,
	onSubscribe,
	onUnsubscribe,
	success,
} from "./bent-double.ts";
import { authorization } from "./webhook-server.ts";

const right: Bend = (_asked, answer) => answer();
const TAKEN = success({ id: "taken", refreshBefore: null });
const FORBIDDEN = failure(-32024);
const UNREAD = { status: 500 };

/** Answers callbacks by their scheme. */
const schemes = (answers: Record<string, unknown>) =>
	onSubscribe(({ params }) =>
		params.delivery.url.endsWith(".invalid/mcp-events")
			? answers[String(params.delivery.url).split(":")[0] ?? ""]
			: undefined,
	);

describe("callbacks that are not https", () => {
	const ROW = "subscribe-url-non-https-rejected";
	it.concurrent.each<[string, Bend, RegExp]>([
		["all refused", right, /^SUCCESS .*http:.*ftp:.*ws:/],
		[
			"all taken",
			schemes({ http: TAKEN, ftp: TAKEN, ws: TAKEN }),
			/^FAILURE .*ftp:/,
		],
		[
			"http alone taken",
			schemes({ http: TAKEN }),
			/^UNTESTABLE .*subscribe-url-https-required/,
		],
		[
			"http and one more taken",
			schemes({ http: TAKEN, ws: TAKEN }),
			/^FAILURE .*ws:/,
		],
		["one taken", schemes({ ftp: TAKEN }), /^FAILURE .*ftp:/],
		[
			"http refused in another way",
			schemes({ http: FORBIDDEN }),
			/^WARNING .*http:/,
		],
		[
			"refused in another way, and one taken",
			schemes({ http: FORBIDDEN, ws: TAKEN }),
			/^FAILURE .*ws:/,
		],
		["one answered by nothing", schemes({ ftp: UNREAD }), /^UNTESTABLE /],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent(ROW, bend)).toMatch(told);
	});
});

describe("a callback of http", () => {
	it.concurrent.each<[string, unknown, RegExp]>([
		["refused in any way", FORBIDDEN, /^SUCCESS /],
		["taken", TAKEN, /^FAILURE /],
		["answered by nothing", UNREAD, /^UNTESTABLE /],
	])("%s", async (_what, http, told) => {
		const found = await gradeBent(
			"subscribe-url-https-required",
			schemes({ http }),
		);
		expect(found).toMatch(told);
	});
});

const onPolled = (answer: unknown) =>
	onSubscribe(({ params }) =>
		params.name === "orders.polled" ? answer : undefined,
	);

describe("a type that does not offer webhook", () => {
	const ROW = "error-unsupported";
	it.concurrent.each<[string, unknown, RegExp]>([
		["refused as unsupported", undefined, /^SUCCESS /],
		["taken all the same", TAKEN, /^FAILURE /],
		["answered by nothing", UNREAD, /^WARNING /],
		["refused by another error", INVALID, /^WARNING /],
		["refused without the feature", failure(-32026), /^WARNING /],
	])("%s", async (_what, answer, told) => {
		expect(await gradeBent(ROW, onPolled(answer))).toMatch(told);
	});

	it("refused without the feature, where the profile knows none", async () => {
		const found = await gradeBent(ROW, onPolled(failure(-32014)), {
			profile: "sketch",
		});
		expect(found).toMatch(/^SUCCESS /);
	});
});

describe("a subscription that should have been refused", () => {
	/** Takes everything; counts what is held beside the first. */
	function countHeld() {
		const held = new Set<string>();
		const count = { left: 0, most: 0 };
		const see = ({ params }: Parameters<Bend>[0]) =>
			`${params.name} ${params.delivery.url}`;
		const bend = both(
			onSubscribe((asked, answer) => {
				const { url } = asked.params.delivery;
				if (url.startsWith("http://127.")) return answer();
				held.add(see(asked));
				count.most = Math.max(count.most, held.size);
				return TAKEN;
			}),
			onUnsubscribe((asked) => {
				held.delete(see(asked));
				count.left = held.size;
				return success();
			}),
		);
		return { bend, count };
	}

	it.concurrent.each([
		"subscribe-secret-required",
		"subscribe-secret-rejected",
		"subscribe-url-non-https-rejected",
		"error-unsupported",
		"mcp-name-missing-rejected",
		"subscribe-auth-required",
		"webhook-needs-principals",
		"subscribe-id-not-an-input",
		"error-forbidden",
	])("is given back at once by %s", async (row) => {
		const { bend, count } = countHeld();
		await gradeBent(row, bend, { secondHeaders: [authorization("bob")] });
		const most = row === "subscribe-id-not-an-input" ? 3 : 2;
		expect(count).toEqual({ left: 0, most });
	});
});
