// The rows of one run and what has been said of them. The first word about a row stands, and in the end each has one.
import {
	type CatalogueRow,
	type Profile,
	rowKey,
	type Scenario,
} from "./catalogue/row.ts";
import { type Finding, skipped } from "./finding.ts";
import { type GradedRow, makeGradedRow } from "./verdict.ts";
import type { Scribe } from "./wire/record.ts";

export interface LedgerOptions {
	rows: readonly CatalogueRow[];
	profile: Profile;
	transport: "http" | "stdio";
	scribe: Scribe;
	/** Told of each verdict as it falls. */
	onRow(row: GradedRow): void;
}

export interface Ledger {
	/** Whether the row is part of this run and still without a verdict. */
	isOpen(scenario: Scenario, id: string): boolean;
	/** Ignored where the row is no part of the run, or has its verdict. */
	tell(
		at: { scenario: Scenario; id: string; tookMs: number },
		finding: Finding,
	): void;
	/** Gives all rows of a scenario that have none yet this finding. */
	tellRest(scenario: Scenario, finding: Finding): void;
	/** What has been found of a scenario so far, by id. */
	foundOf(scenario: Scenario): ReadonlyMap<string, Finding>;
	/** All rows in the order of the catalogue; those without a verdict are left out. */
	graded(): GradedRow[];
}

export function openLedger(options: LedgerOptions): Ledger {
	const { profile, scribe, onRow } = options;
	const rows = new Map(options.rows.map((row) => [rowKey(row), row]));
	const graded = new Map<string, GradedRow>();
	const found = new Map<Scenario, Map<string, Finding>>();

	const give = (row: CatalogueRow, finding: Finding, tookMs: number) => {
		const verdict = makeGradedRow(row, finding, { profile, tookMs, scribe });
		graded.set(rowKey(row), verdict);
		const ofScenario = found.get(row.scenario) ?? new Map<string, Finding>();
		found.set(row.scenario, ofScenario.set(row.id, finding));
		onRow(verdict);
	};
	const ledger: Ledger = {
		isOpen: (scenario, id) => {
			const key = rowKey({ scenario, id });
			return rows.has(key) && !graded.has(key);
		},
		tell({ scenario, id, tookMs }, finding) {
			const row = rows.get(rowKey({ scenario, id }));
			if (row && ledger.isOpen(scenario, id)) give(row, finding, tookMs);
		},
		tellRest(scenario, finding) {
			for (const row of rows.values())
				if (row.scenario === scenario && !graded.has(rowKey(row)))
					give(row, finding, 0);
		},
		foundOf: (scenario) => found.get(scenario) ?? new Map(),
		graded: () =>
			[...rows.keys()].flatMap((key) => {
				const row = graded.get(key);
				return row ? [row] : [];
			}),
	};
	for (const row of rows.values()) {
		const why = whyNotHere(row, options);
		if (why !== undefined) give(row, skipped(why), 0);
	}
	return ledger;
}

function whyNotHere(
	row: CatalogueRow,
	{ profile, transport }: LedgerOptions,
): string | undefined {
	if (!row.profiles.includes(profile))
		return `the profile ${profile} has no such rule`;
	if (row.transport !== "both" && row.transport !== transport)
		return `the rule is about ${row.transport} alone`;
	return undefined;
}
