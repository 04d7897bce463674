// What `subscriptions list` and `subscriptions prune` do: the local registry of webhook subscriptions.
import { EXIT_STATUSES, Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import {
	isRecordOf,
	type ListedSubscription,
	type SubscriptionRecord,
} from "../../state/index.ts";
import { labelSubscriptions } from "../../tail/index.ts";
import { type ConnectionFlags, connect } from "../connect/connect.ts";
import { readPrincipal } from "../connect/principal.ts";
import { openWorldRegistry, type StateFlags } from "../connect/state-place.ts";
import type { World } from "../process/world.ts";

interface Pieces {
	world: World;
	output: Output;
}

/** `active` is looked after by a process; `left` by none, so that a crash or --keep left it; the others are over. */
type State = "active" | "left" | "elsewhere" | "expired" | "ended";

/** Prints the registry: a table, or one JSON line each. Those that are over only with `isAll`. */
export async function runSubscriptionsList(
	options: { flags: StateFlags; isAll: boolean; asTable: boolean },
	pieces: Pieces,
): Promise<number> {
	const { output, world } = pieces;
	const registry = openWorldRegistry(options.flags, pieces);
	const rows = (await registry.list())
		.map((listed) => ({ ...listed, state: stateOf(listed, world.now()) }))
		.filter(({ state }) => options.isAll || !isOver(state));
	if (!options.asTable) {
		await output.lines(
			rows.map(({ record, state }) => JSON.stringify(fieldsOf(record, state))),
		);
		return EXIT_STATUSES.done.status;
	}
	if (rows.length === 0) {
		output.say("there are no webhook subscriptions of ours");
		return EXIT_STATUSES.done.status;
	}
	const { renderTable } = await import("../../output/index.ts");
	const columns = ["EVENT", "STATE", "UNTIL", "CALLBACK", "SERVER"];
	await output.text((page) =>
		renderTable(
			columns.map((title) => ({ title, isFixed: title !== "CALLBACK" })),
			rows.map(({ record, state }) => [
				labelOf(record),
				state,
				untilText(record),
				record.url,
				record.server,
			]),
			page,
		),
	);
	return EXIT_STATUSES.done.status;
}

/**
 * Forgets what is over, its secrets too; with a server, unsubscribes there what listeners left behind. Status 3 where
 * one could not be unsubscribed.
 */
export async function runSubscriptionsPrune(
	options: {
		server: ServerAddress | undefined;
		flags: ConnectionFlags & StateFlags;
	},
	pieces: Pieces,
): Promise<number> {
	const { output, world } = pieces;
	const registry = openWorldRegistry(options.flags, pieces);
	let removed = 0;
	let failed = 0;
	const forget = async (record: SubscriptionRecord) => {
		if (await registry.remove(record.key)) removed++;
	};
	const listed = await registry.list();
	if (options.server)
		failed = await leaveLeft(listed, options.server, {
			...pieces,
			flags: options.flags,
			forget,
		});
	for (const one of listed)
		if (!one.isHeld && isOver(stateOf(one, world.now())))
			await forget(one.record);
	output.say(
		`forgot ${removed} webhook subscriptions, with their secrets; their captures stay`,
	);
	const left = (await registry.list()).filter(
		(one) => stateOf(one, world.now()) === "left",
	);
	for (const { record } of left)
		output.say(
			`${labelOf(record)} at ${record.server} is left by a listener; to unsubscribe it: mcp-events subscriptions prune ${record.server}`,
		);
	return failed > 0
		? EXIT_STATUSES.unreachable.status
		: EXIT_STATUSES.done.status;
}

/** Unsubscribes what listeners left at this server; returns how many could not be. */
async function leaveLeft(
	listed: readonly ListedSubscription[],
	server: ServerAddress,
	pieces: Pieces & {
		flags: ConnectionFlags & StateFlags;
		forget: (record: SubscriptionRecord) => Promise<void>;
	},
): Promise<number> {
	const { output, world, forget } = pieces;
	await using session = await connect(server, pieces.flags, pieces);
	const { unsubscribeWebhook } = await import("../../session/index.ts");
	const asker = {
		server: session.server.label,
		principal: await readPrincipal(server, pieces.flags, world),
	};
	let failed = 0;
	for (const one of listed) {
		const { record } = one;
		if (stateOf(one, world.now()) !== "left") continue;
		if (!isRecordOf(record, asker)) continue;
		const { event: name, arguments: args, url } = record;
		const key = { name, arguments: args, url };
		try {
			await unsubscribeWebhook(session, key, { signal: world.stop });
			output.say(`${labelOf(record)}: unsubscribed ${url}`);
			await forget(record);
		} catch (error) {
			if (!(error instanceof Fault)) throw error;
			failed++;
			output.warn(
				`${labelOf(record)}: could not be unsubscribed: ${error.what}`,
			);
		}
	}
	return failed;
}

function stateOf({ record, isHeld }: ListedSubscription, nowMs: number): State {
	const { endedAt, refreshBefore, receiver } = record;
	if (endedAt !== undefined) return "ended";
	if (isHeld) return "active";
	if (typeof refreshBefore === "number" && refreshBefore < nowMs)
		return "expired";
	return receiver === "elsewhere" ? "elsewhere" : "left";
}

const isOver = (state: State) => state === "ended" || state === "expired";

function labelOf({ event, arguments: args }: SubscriptionRecord): string {
	const [one] = labelSubscriptions([{ name: event, arguments: args }]);
	return one?.label ?? event;
}

function untilText({ refreshBefore }: SubscriptionRecord): string {
	if (refreshBefore === null) return "no expiry";
	return refreshBefore === undefined ? "not known" : isoTime(refreshBefore);
}

const isoTime = (ms: number) => new Date(ms).toISOString();

/** What scripts may rely on. The secret is not in the record, and so not here. */
function fieldsOf(record: SubscriptionRecord, state: State) {
	const { key, server, event, url, id, refreshBefore, cursor } = record;
	const optional = (ms: number | undefined) =>
		ms === undefined ? null : isoTime(ms);
	return {
		key,
		state,
		server,
		event,
		arguments: record.arguments,
		url,
		id: id ?? null,
		refreshBefore:
			typeof refreshBefore === "number" ? isoTime(refreshBefore) : null,
		hasExpiry: refreshBefore !== null,
		cursor: cursor ?? null,
		createdAt: isoTime(record.createdAt),
		lastSeenAt: optional(record.lastSeenAt),
		endedAt: optional(record.endedAt),
	};
}
