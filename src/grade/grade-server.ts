// One run from the first handshake to the report; what happens meanwhile is told as it happens.

import { safeUrl } from "../network/index.ts";
import { ALL_SCENARIOS, type CatalogueRow, rowKey } from "./catalogue/row.ts";
import { selectRows } from "./catalogue/rows.ts";
import type { Ground } from "./context.ts";
import { openFeed } from "./feed.ts";
import { type Finding, untestable } from "./finding.ts";
import { gateOf, isWithoutEvents, openGround } from "./ground.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import type { GradeOptions, GradePieces } from "./options.ts";
import { createReceiving, type Receiving } from "./receiving/receiving.ts";
import { makeReport, type Report } from "./report.ts";
import { makeContext, openBudget } from "./run-context.ts";
import { outOfTime, runScenarios } from "./run-scenarios.ts";
import { GRADED_SCENARIOS } from "./scenarios.ts";
import { tellUnreachable } from "./unreachable.ts";
import type { GradedRow } from "./verdict.ts";
import { openWire } from "./wire/open-wire.ts";
import { openScribe, type Scribe } from "./wire/record.ts";
import { openTrail, type Trail } from "./wire/trail.ts";
import type { Wire } from "./wire/wire.ts";

export type Progress =
	| { kind: "started"; rows: number }
	| { kind: "row"; row: GradedRow }
	/** The last item. `defects`: errors of ours that cost rows their verdict. */
	| { kind: "report"; report: Report; defects: unknown[] };

/**
 * Grades a server. Yields each verdict as it falls and, last of all, the report, in which every row of the run has one,
 * however the run ended. Throws the fault of a server that could not be reached at all.
 */
export function gradeServer(
	options: GradeOptions,
	pieces: GradePieces,
): AsyncIterable<Progress> {
	return openFeed<Progress>((put) => run(options, pieces, put));
}

/** Where one of them is in the run, what a server refuses is tried before its guards are lifted. */
const GUARD_ROWS: readonly string[] = [
	"events-webhook-delivery/ssrf-validate-callback-url",
	"events-webhook-delivery/ssrf-reject-non-routable",
];

export interface Run {
	options: GradeOptions;
	pieces: GradePieces;
	rows: CatalogueRow[];
	ledger: Ledger;
	scribe: Scribe;
	signal: AbortSignal;
	defects: unknown[];
	receiving: Receiving;
}

async function run(
	options: GradeOptions,
	pieces: GradePieces,
	put: (progress: Progress) => void,
): Promise<void> {
	const startedAtMs = pieces.now();
	const rows = selectRows(options.scenarios, options.only, options);
	put({ kind: "started", rows: rows.length });
	const budget = openBudget(options, pieces);
	const scribe = openScribe({ now: pieces.now, ...secretsOf(options) });
	const ledger = openLedger({
		rows,
		profile: options.profile,
		transport: options.target.kind,
		scribe,
		onRow: (row) => put({ kind: "row", row }),
	});
	const { signal } = budget;
	const defects: unknown[] = [];
	const receiving = createReceiving(options.receiver, {
		wantsGuards: rows.some((row) => GUARD_ROWS.includes(rowKey(row))),
	});
	const graded = { options, pieces, rows, ledger, scribe, signal, defects };
	try {
		const facts = await gradeWith({ ...graded, receiving });
		for (const scenario of ALL_SCENARIOS)
			ledger.tellRest(scenario, leftOver(signal));
		const report = makeReport({
			tool: pieces.clientInfo,
			profile: options.profile,
			...facts,
			startedAtMs,
			durationMs: pieces.now() - startedAtMs,
			isComplete: !signal.aborted,
			rows: ledger.graded(),
		});
		put({ kind: "report", report, defects });
	} finally {
		await receiving.close();
		budget.end();
	}
}

type Facts = Pick<Report, "server" | "offersEvents">;

async function gradeWith(run: Run): Promise<Facts> {
	const { options, signal } = run;
	let facts: Facts = {
		server: { label: labelOf(options), transport: options.target.kind },
		offersEvents: true,
	};
	const trail = openTrail();
	let wire: Wire | undefined;
	try {
		const opened = await openRunWire(run, trail);
		wire = opened.wire;
		const { shaken } = opened;
		tellUnreachable(shaken, wire);
		const { era } = wire;
		facts.server = {
			...facts.server,
			label: wire.label,
			...(era && { era }),
			...shaken.serverInfo,
		};
		const ground = await openGround(wire, shaken, options);
		facts = { ...facts, offersEvents: !isWithoutEvents(ground) };
		await gradeOn(ground, { wire, trail }, run);
	} catch (error) {
		// A run that is over ends whatever waits; what it is over for stands in the rows that are left.
		if (!signal.aborted) throw error;
	} finally {
		await wire?.close();
	}
	return facts;
}

function openRunWire(
	{ options, pieces, scribe, signal }: Run,
	trail: Trail,
): ReturnType<typeof openWire> {
	const prefer = options.profile === "sketch" ? "legacy" : "modern";
	return openWire(
		{ ...options, ...pieces, clock: pieces, scribe, signal, prefer },
		trail,
	);
}

function labelOf({ target }: GradeOptions): string {
	return target.kind === "http" ? safeUrl(target.url) : target.command;
}

async function gradeOn(
	ground: Ground,
	{ wire, trail }: { wire: Wire; trail: Trail },
	run: Run,
): Promise<void> {
	const gate = gateOf(ground);
	if (gate)
		for (const scenario of ALL_SCENARIOS)
			if (scenario !== "events-discovery") run.ledger.tellRest(scenario, gate);
	await runScenarios(GRADED_SCENARIOS, {
		ledger: run.ledger,
		onDefect: (error) => run.defects.push(error),
		contextOf: (scenario) => {
			const own = scenario === "events-discovery" ? trail : openTrail();
			return makeContext(ground, run, {
				scenario,
				trail: own,
				wire: wire.withTrail(own),
			});
		},
	});
}

function secretsOf({ target, secondHeaders }: GradeOptions) {
	const first = target.kind === "http" ? target.headers : [];
	const bearer = target.kind === "http" ? (target.bearer ?? "") : "";
	const query = target.kind === "http" ? target.url.searchParams.values() : [];
	const headers = [...first, ...secondHeaders];
	return {
		secrets: [...headers.map(([, value]) => value), bearer, ...query],
		secretHeaders: headers.map(([name]) => name.toLowerCase()),
	};
}

/** Rows that no check of this program judges. */
function leftOver(signal: AbortSignal): Finding {
	if (signal.aborted) return outOfTime(signal);
	return untestable(
		{ kind: "defect", name: "checks for this scenario" },
		"this scenario is not yet graded",
	);
}
