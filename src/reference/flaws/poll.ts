// Flaws of poll: what it is asked for, and how it answers.
import { HEADERS, METHODS, SEP_CODES } from "../../protocol/index.ts";
import type { Flaw } from "./flaw.ts";
import { onResult } from "./hooks.ts";
import {
	INTERNAL,
	INVALID,
	onAsked,
	onPoll,
	pollFlaw,
	refuseWith,
} from "./poll-flaw.ts";
import { POLL_REFUSALS } from "./poll-refusals.ts";

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
		"refuses the first poll that goes on after hasMore true, as one that came too soon",
		() => {
			const early = new Set<string>();
			return onPoll((result, { name, cursor }, message) => {
				if (early.delete(`${name} ${cursor}`))
					refuseWith(message, SEP_CODES.ResourceExhausted, "too soon");
				else if (result.hasMore) early.add(`${name} ${result.cursor}`);
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
	...POLL_REFUSALS,
];
