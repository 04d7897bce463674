// The whole catalogue, and how a row is found in it by the words of a user.
import { Fault, nearestNames } from "../../faults/index.ts";
import { deliveryGuardsRows } from "./delivery-guards.ts";
import { deliveryRequestsRows } from "./delivery-requests.ts";
import { discoveryRows } from "./discovery.ts";
import { modesRows } from "./modes.ts";
import { pollPositionsRows } from "./poll-positions.ts";
import { pollRequestsRows } from "./poll-requests.ts";
import { pushEndingsRows } from "./push-endings.ts";
import { pushStreamsRows } from "./push-streams.ts";
import {
	type CatalogueRow,
	ID_PREFIX,
	MODES_SCENARIO,
	rowKey,
	type Scenario,
} from "./row.ts";
import { webhookKeysRows } from "./webhook-keys.ts";
import { webhookLeasesRows } from "./webhook-leases.ts";

/** Every rule that is graded; unique by scenario and id. */
export const CATALOGUE: readonly CatalogueRow[] = [
	...discoveryRows,
	...pollRequestsRows,
	...pollPositionsRows,
	...pushStreamsRows,
	...pushEndingsRows,
	...webhookKeysRows,
	...webhookLeasesRows,
	...deliveryRequestsRows,
	...deliveryGuardsRows,
	...modesRows,
];

/**
 * The rows that `id` or `scenario/id` names, with or without the prefix: an id alone may name one in several scenarios.
 * Throws `wrong-use` where there is none: `flag` says where the word came from, `write` how a right one is written there.
 */
export function findRows(
	word: string,
	flag: string,
	write = (id: string) => `${flag} ${id}`,
): CatalogueRow[] {
	const bare = word.replace(ID_PREFIX, "");
	const found = CATALOGUE.filter(
		(row) => row.id === bare || rowKey(row) === bare,
	);
	if (found.length > 0) return found;
	const id = bare.slice(bare.indexOf("/") + 1);
	const near = nearestNames(
		id,
		CATALOGUE.map((row) => row.id),
	);
	throw new Fault("wrong-use", {
		what: `${flag}: no rule is named ${JSON.stringify(word.slice(0, 120))}`,
		why:
			near.length > 0
				? `the nearest: ${[...new Set(near)].join(", ")}`
				: "ids stand in the report, with or without their prefix",
		next: write(near[0] ?? "events-discovery/list-implemented"),
	});
}

/**
 * The rows of some scenarios and, where any are named, only these. Those that compare the modes are there where they
 * are named, or asked for beside all else.
 */
export function selectRows(
	scenarios: readonly Scenario[],
	only: readonly CatalogueRow[] = [],
	{ comparesModes = false } = {},
): CatalogueRow[] {
	return CATALOGUE.filter((row) => {
		const isOfModes = row.scenario === MODES_SCENARIO;
		if (isOfModes && (comparesModes || only.includes(row))) return true;
		return (
			scenarios.includes(row.scenario) &&
			(only.length === 0 || only.includes(row))
		);
	});
}
