// The hand-made server of webhook subscriptions, bent by a test: one row of it, graded in a few milliseconds.
import { CATALOGUE } from "../../../src/grade/index.ts";
import {
	type Bend,
	openWebhookHttp,
} from "../../fixtures/servers/webhook-http.ts";
import { gradeWith, httpTarget } from "../grade-with.ts";
import { authorization } from "./webhook-server.ts";

export type { Bend };

const SUBSCRIBE = "events/subscribe";
const UNSUBSCRIBE = "events/unsubscribe";

export const failure = (code: number, data?: unknown) => ({
	error: { code, message: "no", data },
});
export const FORBIDDEN = failure(-32024);
export const NOT_FOUND = failure(-32023);
export const INVALID = failure(-32602);
export const FULL = failure(-32025);
export const success = (result = {}) => ({
	result: { resultType: "complete", ...result },
});

/** Changes the answer to one method where the test wants it; undefined leaves it. */
export const on =
	(method: string, change: (...args: Parameters<Bend>) => unknown): Bend =>
	(asked, right) =>
		asked.method === method ? (change(asked, right) ?? right()) : right();
export const onSubscribe = (change: (...args: Parameters<Bend>) => unknown) =>
	on(SUBSCRIBE, change);
export const onUnsubscribe = (change: (...args: Parameters<Bend>) => unknown) =>
	on(UNSUBSCRIBE, change);

/** Several bends: the first is the outermost. */
export const both =
	(...bends: Bend[]): Bend =>
	(asked, right) =>
		bends.reduceRight<(params?: unknown) => unknown>(
			(inner, bend) => (params) =>
				bend({ ...asked, params: params ?? asked.params }, (own) =>
					inner(own ?? params),
				),
			right,
		)();

/** Control tools that answer with these texts; a function is asked each time, and undefined makes the tool fail. */
export const controls =
	(
		texts: Record<
			string,
			string | ((args: Record<string, string>) => string | undefined)
		>,
	): Bend =>
	({ method, params }, right) => {
		const PREFIX = "events_conformance_";
		if (method === "tools/list")
			return success({
				tools: Object.keys(texts).map((name) => ({ name: PREFIX + name })),
			});
		if (method !== "tools/call") return right();
		const text = texts[String(params.name).slice(PREFIX.length)];
		const told = typeof text === "function" ? text(params.arguments) : text;
		return told === undefined
			? success({ isError: true })
			: success({ content: [{ type: "text", text: told }] });
	};

export interface Wish extends NonNullable<Parameters<typeof gradeWith>[1]> {
	/** As alice by default; none: nobody. */
	headers?: [string, string][];
	/** Rows that are graded with it. */
	also?: readonly string[];
	/** The token itself. */
	bearer?: string;
	/** Makes another URL of the server's. */
	urlOf?: (url: string) => string;
}

/** `VERDICT message` of one row. */
export async function gradeBent(
	row: string,
	bend: Bend,
	{ headers, bearer, urlOf = (url) => url, also = [], ...options }: Wish = {},
): Promise<string> {
	await using server = await openWebhookHttp(bend);
	const own = headers ?? [authorization("alice")];
	const target = { ...httpTarget(urlOf(server.url), own), bearer };
	const graded = await gradeWith(target, {
		scenarios: ["events-webhook"],
		only: CATALOGUE.filter(
			({ scenario, id }) =>
				scenario === "events-webhook" && [row, ...also].includes(id),
		),
		...options,
	});
	if (graded.defects.length > 0) throw graded.defects[0];
	const key = `events-webhook/${row}`;
	return `${graded.verdictOf(key)} ${graded.messageOf(key)}`;
}

/** An address of this machine that nobody calls. */
export const PUBLIC: Wish = {
	receiver: {
		openPublicAddress: async () => ({
			url: "https://here.example",
			async [Symbol.asyncDispose]() {},
		}),
	},
};
