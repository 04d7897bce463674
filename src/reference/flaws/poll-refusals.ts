// Flaws of polls that cannot be served: wrong ones, and those of types that are gone or may not be had.
import { HEADERS, METHODS } from "../../protocol/index.ts";
import type { Flaw } from "./flaw.ts";
import { codeLike, onError } from "./hooks.ts";
import { INTERNAL, INVALID, onAsked, pollFlaw } from "./poll-flaw.ts";

export const POLL_REFUSALS: readonly Flaw[] = [
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
