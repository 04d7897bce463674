// Every fault that a tail may meet, in every mode, counted: what was sent, printed, lost, repeated and told. One table.
import { afterAll, describe, it } from "vitest";
import { HOSTILE_ROWS } from "./fault-table/hostile-rows.ts";
import { NETWORK_ROWS } from "./fault-table/network-rows.ts";
import { OWN_ROWS } from "./fault-table/own-rows.ts";
import {
	drawTable,
	playRow,
	type Result,
	type Row,
} from "./fault-table/row.ts";
import { MODES } from "./fault-table/stage.ts";

const ROWS: readonly Row[] = [...NETWORK_ROWS, ...HOSTILE_ROWS, ...OWN_ROWS];

const results = new Map<string, Result>();
const keyOf = (fault: string, mode: string) => `${fault} ${mode}`;

for (const row of ROWS)
	for (const mode of MODES) {
		const { fault, skip = {} } = row;
		const why = skip[mode];
		if (why === undefined) continue;
		const words = `none: ${why}`;
		results.set(keyOf(fault, mode), { fault, mode, counts: undefined, words });
	}

// A row that needs another attempt is named at the end of the run, with what was lost: it wants to be explained, for a loss
// that was seen once is a loss.
describe.concurrent("lost without being told: nothing", () => {
	for (const row of ROWS)
		it.for(MODES.filter((mode) => row.skip?.[mode] === undefined))(
			`${row.fault}, by %s`,
			{ timeout: 150_000 },
			async (mode) => {
				results.set(keyOf(row.fault, mode), await playRow(row, mode));
			},
		);
});

afterAll(() => {
	const inOrder = ROWS.flatMap(({ fault }) =>
		MODES.flatMap((mode) => results.get(keyOf(fault, mode)) ?? []),
	);
	process.stdout.write(`\n${drawTable(inOrder)}\n`);
});
