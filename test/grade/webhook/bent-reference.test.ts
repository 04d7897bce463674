// What takes real deliveries and streams: the reference server, bent by hand in what it says.
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../../../src/grade/index.ts";
import type { Hooks, Json } from "../../../src/reference/flaws/flaw.ts";
import {
	authorization,
	gradeWebhook,
	openWebhookServer,
	type ServerWish,
} from "./webhook-server.ts";

const byHand = (message: NonNullable<Hooks["message"]>) => ({
	value: 0,
	flaw: {
		name: "by-hand",
		scenario: "events-webhook",
		rule: "none",
		about: "is bent by a test",
		make: () => ({ message }),
	},
});

/** `VERDICT message` of one row. */
async function gradeRow(
	row: string,
	bend: NonNullable<Hooks["message"]>,
	{
		wish = {},
		...options
	}: Parameters<typeof gradeWebhook>[1] & {
		wish?: ServerWish;
	} = {},
): Promise<string> {
	await using server = await openWebhookServer({
		flaws: [byHand(bend)],
		...wish,
	});
	const found = await gradeWebhook(server.url, {
		only: CATALOGUE.filter(
			({ scenario, id }) => scenario === "events-webhook" && id === row,
		),
		...options,
	});
	const { verdict, message } = found.get(row) ?? {};
	return `${verdict} ${message}`;
}

/** Changes refusals for want of a right, of one method or of all. */
const refusing =
	(code: number, only?: string): NonNullable<Hooks["message"]> =>
	({ error }, { method }) => {
		if (error?.code === -32024 && (only ?? method) === method)
			error.code = code;
		return undefined;
	};

describe("a type that was taken away", () => {
	it.concurrent.each<[string, number, string | undefined, RegExp]>([
		["forbidden in every mode", -32024, undefined, /^SUCCESS /],
		[
			"refused by a number of nobody",
			-32000,
			undefined,
			/^FAILURE .*by webhook/,
		],
		[
			"refused by a fault of the server",
			-32603,
			undefined,
			/^FAILURE .*by webhook/,
		],
		["refused by another error", -32602, undefined, /^WARNING .*by webhook/],
		[
			"refused by another error in a stream",
			-32602,
			"events/stream",
			/^WARNING .*by push/,
		],
		[
			"refused by another error of a poll",
			-32602,
			"events/poll",
			/^WARNING .*by poll/,
		],
	])("%s", async (_what, code, method, told) => {
		expect(await gradeRow("error-forbidden", refusing(code, method))).toMatch(
			told,
		);
	});

	it("is tried in every mode that it has", async () => {
		const found = await gradeRow("authz-subscribe-time", () => undefined);
		expect(found).toMatch(/^SUCCESS .*is refused by webhook, poll, push$/);
	});
});

describe("a type that a second principal may not have", () => {
	it("is tried in every mode that the first may have", async () => {
		const found = await gradeRow("authz-subscribe-time", () => undefined, {
			secondHeaders: [authorization("bob")],
			wish: {
				mayHave: (principal, name) =>
					principal !== "bob" || name !== "conformance.spare",
			},
		});
		expect(found).toMatch(
			/for the second principal is refused by webhook, poll, push$/,
		);
	});
});

const STATE = "events_conformance_subscription_state";
const isState = (params: Json) => params.name === STATE;

/** Says nothing of states by control, or nothing in the answer to a refresh. */
const silent =
	({
		control,
		status,
	}: {
		control?: boolean;
		status?: boolean;
	}): NonNullable<Hooks["message"]> =>
	({ result }, { method }) => {
		if (status && method === "events/subscribe") delete result?.deliveryStatus;
		if (control && method === "tools/list" && result)
			result.tools = result.tools.filter((tool: Json) => !isState(tool));
		return undefined;
	};

describe("a suspended subscription that is refreshed", () => {
	const ROW = "subscribe-refresh-reactivates";
	const waits = { suspendedMs: 1_500 };
	it.concurrent.each<[string, Parameters<typeof silent>[0], RegExp]>([
		["is known by the control alone", { status: true }, /^SUCCESS /],
		["is known by the refresh alone", { control: true }, /^SUCCESS /],
		["is not known", { control: true, status: true }, /^UNTESTABLE .*not told/],
	])("%s", async (_what, what, told) => {
		expect(await gradeRow(ROW, silent(what), { waits })).toMatch(told);
	});

	it.concurrent.each([
		["not suspended", "active", /^UNTESTABLE .*its state is active/],
		["suspended for ever", "suspended", /^FAILURE .*its state is suspended/],
	])("is told as %s", async (_what, state, told) => {
		const bend: NonNullable<Hooks["message"]> = ({ result }, about) => {
			if (about.method === "events/subscribe") delete result?.deliveryStatus;
			if (about.method === "tools/call" && isState(about.params))
				result.content[0].text = state;
			return undefined;
		};
		expect(await gradeRow(ROW, bend, { waits })).toMatch(told);
	});
});

describe("what is left out for its age", () => {
	const ROW = "subscribe-max-age-ms";
	const truncating =
		(tell: (result: Json) => void): NonNullable<Hooks["message"]> =>
		({ result }, { method, params }) => {
			if (method === "events/subscribe" && params.maxAgeMs && result)
				tell(result);
			return undefined;
		};
	it.concurrent.each<[string, (result: Json) => void, RegExp]>([
		["is told", () => {}, /^SUCCESS .*from before ([3-9]|\d\d) older events/],
		["is not told", (result) => delete result.truncated, /^FAILURE /],
		["is denied", (result) => (result.truncated = false), /^FAILURE /],
		[
			"is told in words",
			(result) => (result.truncated = "yes"),
			/^UNTESTABLE /,
		],
	])("%s", async (_what, tell, told) => {
		expect(await gradeRow(ROW, truncating(tell))).toMatch(told);
	});
});

it("an endless lease is seen to be given up, not only to last", async () => {
	const found = await gradeRow("ttl-no-expiry-gc-terminated", () => undefined);
	expect(found).toMatch(/^SUCCESS .*it was given up after failures/);
});
