// Flaws of poll: what it is asked for, how it answers, and what it refuses.
import { HEADERS, METHODS, SEP_CODES } from "../../protocol/index.ts";
import type { Flaw, FlawTools, Hooks, Json } from "./flaw.ts";
import { codeLike, onError, onResult } from "./hooks.ts";

/** A flaw of this scenario: its name, the rule that it breaks, what it does, and how. */
export const pollFlaw = (
	name: string,
	rule: string,
	about: string,
	hooks: Hooks | ((tools: FlawTools) => Hooks),
): Flaw => ({
	name,
	scenario: "events-poll",
	rule,
	about,
	make: (_value, tools) => (typeof hooks === "function" ? hooks(tools) : hooks),
});

/** Bends a poll's result in place; `message` is what it stands in. */
export const onPoll = (
	change: (result: Json, params: Json, message: Json) => void,
): Hooks => ({
	message(message, { method, params }) {
		if (method === METHODS.poll && message.result)
			change(message.result, params, message);
	},
});

/** Refuses in place of a result. */
export function refuseWith(message: Json, code: number, text: string): void {
	delete message.result;
	message.error = { code, message: text };
}

/** Mends the request of a poll, so that what is wrong with it is not seen. */
const onAsked = (
	mend: (params: Json, headers: Record<string, unknown>) => void,
): Hooks => ({
	request({ method, params }, headers) {
		if (method === METHODS.poll) mend(params, headers);
	},
});

const INVALID = -32602;
const INTERNAL = -32603;

export const POLL: readonly Flaw[] = [
	pollFlaw(
		"polls-fail",
		"poll-implemented",
		"answers every poll that is right with an internal error",
		onPoll((_result, _params, message) =>
			refuseWith(message, INTERNAL, "the server failed"),
		),
	),
	pollFlaw(
		"polls-any-name",
		"poll-one-subscription-per-request",
		"takes a poll without a name for one of the event type that was polled last",
		() => {
			let last = "";
			return onAsked((params, headers) => {
				if (typeof params.name === "string") last = params.name;
				else if (params.name === undefined) {
					params.name = last;
					headers[HEADERS.name] = last;
				}
			});
		},
	),
	pollFlaw(
		"refuses-first-poll",
		"poll-bootstraps-subscription",
		"refuses the first poll of a subscription and serves those that follow",
		() => {
			const known = new Set<string>();
			return onPoll((_result, { name, arguments: args }, message) => {
				const key = JSON.stringify([name, args]);
				if (!known.has(key))
					refuseWith(message, INTERNAL, "there is no such subscription");
				known.add(key);
			});
		},
	),
	pollFlaw(
		"no-events-when-quiet",
		"poll-events-array",
		"leaves events out of a poll result when there are none",
		onPoll((result) => {
			if (result.events.length === 0) delete result.events;
		}),
	),
	pollFlaw(
		"cursor-in-occurrences",
		"poll-response-cursor",
		"gives the position with the last event of a poll in place of with the result",
		onPoll((result) => {
			const last = result.events.at(-1);
			if (!last) return;
			last.cursor = result.cursor;
			delete result.cursor;
		}),
	),
	pollFlaw(
		"next-poll-in-seconds",
		"poll-next-poll-ms",
		"advises the next poll by nextPollSeconds",
		onPoll((result) => {
			result.nextPollSeconds = result.nextPollMs / 1_000;
			delete result.nextPollMs;
		}),
	),
	pollFlaw(
		"paces-backlogs",
		"poll-next-poll-ms-ignored-when-has-more",
		"refuses to go on within a second of hasMore true",
		({ now }) => {
			const until = new Map<string, number>();
			return onPoll((result, { name, cursor }, message) => {
				if (now() < (until.get(`${name} ${cursor}`) ?? 0))
					refuseWith(message, SEP_CODES.ResourceExhausted, "too soon");
				else if (result.hasMore)
					until.set(`${name} ${result.cursor}`, now() + 1_000);
			});
		},
	),
	pollFlaw(
		"has-more-as-text",
		"poll-has-more",
		"writes hasMore as a text",
		onPoll((result) => {
			result.hasMore = String(result.hasMore);
		}),
	),
	pollFlaw(
		"ignores-max-events",
		"poll-max-events-cap",
		"takes no notice of maxEvents",
		onAsked((params) => {
			delete params.maxEvents;
		}),
	),
	pollFlaw(
		"hides-backlog",
		"poll-max-events-cap",
		"says hasMore false of a batch that was cut short",
		onPoll((result) => {
			result.hasMore = false;
		}),
	),
	pollFlaw(
		"cut-skips-the-rest",
		"poll-max-events-cap",
		"gives a batch that maxEvents cut short the position of the whole batch",
		{
			type: (type) => ({
				...type,
				async read(request) {
					const batch = await type.read(request);
					if (!batch.hasMore) return batch;
					const whole = await type.read({ ...request, limit: 1_000 });
					return { ...batch, cursor: whole.cursor };
				},
			}),
		},
	),
	pollFlaw(
		"cursors-once",
		"poll-stateless-request",
		"serves each cursor that has events behind it only once",
		() => {
			const used = new Set<string>();
			return onPoll(({ events }, { name, cursor }, message) => {
				const key = JSON.stringify([name, cursor]);
				if (typeof cursor !== "string" || events.length === 0) return;
				if (used.has(key)) refuseWith(message, INVALID, "the cursor was used");
				used.add(key);
			});
		},
	),
	pollFlaw(
		"errors-in-results",
		"poll-errors-are-jsonrpc",
		"answers wrong arguments with a result that has the error inside",
		{
			message(message, { method, params }) {
				if (method !== METHODS.poll || message.error?.code !== INVALID) return;
				const { name, cursor, arguments: args } = params;
				const isOther = typeof name !== "string" || cursor !== null;
				if (isOther || Object(args) !== args) return;
				const { error } = message;
				message.result = { resultType: "complete", events: [], error };
				delete message.error;
			},
		},
	),
	pollFlaw(
		"takes-any-arguments",
		"poll-invalid-arguments",
		"leaves out of a poll the arguments that it is given",
		onAsked((params) => {
			if (Object(params.arguments) === params.arguments) params.arguments = {};
		}),
	),
	pollFlaw(
		"unoffered-as-invalid",
		"poll-mode-unsupported",
		"answers a poll of a type that does not offer it with InvalidParams",
		onError("Unsupported", (error, { method }) => {
			if (method !== METHODS.poll) return;
			error.code = INVALID;
			delete error.data;
		}),
	),
	pollFlaw(
		"removed-as-forbidden",
		"removal-poll-not-found",
		"answers a poll of a type that is gone with Forbidden",
		() => {
			const known = new Set<unknown>();
			return {
				message({ result, error }, { method, params: { name } }) {
					if (method !== METHODS.poll) return;
					if (result) known.add(name);
					if (error && error.code === codeLike(error.code, "NotFound"))
						if (known.has(name)) error.code = codeLike(error.code, "Forbidden");
				},
			};
		},
	),
	pollFlaw(
		"invalid-as-internal",
		"error-invalid-params",
		"answers arguments that are no object with an internal error",
		onError("InvalidParams", (error, { method, params }) => {
			const args = Object(params).arguments;
			if (method === METHODS.poll && Object(args) !== args)
				if (args !== undefined) error.code = INTERNAL;
		}),
	),
	pollFlaw(
		"poll-without-name-header",
		"mcp-name-missing-rejected",
		"serves polls without Mcp-Name",
		onAsked(({ name }, headers) => {
			if (headers[HEADERS.name] === undefined) headers[HEADERS.name] = name;
		}),
	),
	pollFlaw(
		"poll-with-any-name-header",
		"mcp-name-mismatch-rejected",
		"serves polls whatever Mcp-Name they have",
		onAsked(({ name }, headers) => {
			if (headers[HEADERS.name] !== undefined) headers[HEADERS.name] = name;
		}),
	),
	pollFlaw(
		"no-result-type-in-poll",
		"result-type-complete",
		"leaves resultType out of poll results",
		onResult(METHODS.poll, (result) => {
			delete result.resultType;
		}),
	),
	pollFlaw(
		"poll-meta-list",
		"wire-schema-valid",
		"writes the _meta of poll results as an array",
		onPoll((result) => {
			result._meta = [];
		}),
	),
	pollFlaw(
		"forbidden-in-silence",
		"poll-revoked-error",
		"answers polls of what may be had no more with empty results",
		{
			message(message, { method, params }) {
				const { error } = message;
				if (method !== METHODS.poll || !error) return;
				if (error.code !== codeLike(error.code, "Forbidden")) return;
				delete message.error;
				message.result = {
					resultType: "complete",
					events: [],
					cursor: params.cursor,
					truncated: false,
					hasMore: false,
					nextPollMs: 1_000,
				};
			},
		},
	),
];
