// Prints the table of rows: each rule with a server that passes it and one that fails it, and the verdict of both.
import { expect, it } from "vitest";
import {
	ALL_SCENARIOS,
	CATALOGUE,
	type CatalogueRow,
	rowKey,
} from "../../src/grade/index.ts";
import { breakingServer, KEEPING, UNTRIED } from "./servers.ts";
import type { Tried, Verdicts } from "./tried.ts";

/** Side by side: most of it is waiting. */
const AT_ONCE = 8;

interface Line {
	scenario: string;
	id: string;
	kept: { server: string; verdict: string };
	broken: { server: string; verdict: string };
}

async function gradeAll<Key>(
	tried: readonly (readonly [Key, Tried])[],
	found = new Map<Key, Verdicts>(),
): Promise<Map<Key, Verdicts>> {
	const left = [...tried];
	const work = async () => {
		for (let next = left.shift(); next; next = left.shift())
			found.set(next[0], await next[1].grade());
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return found;
}

const NOBODY = { server: "-", verdict: "UNTESTABLE" };

/** The servers, and what was found of each. */
class Looks {
	readonly #kept = new Map<Tried, Verdicts>();
	readonly #broken = new Map<string, Verdicts>();

	async gradeAll(): Promise<void> {
		const keeping = Object.values(KEEPING).flat();
		await gradeAll(
			keeping.map((one) => [one, one] as const),
			this.#kept,
		);
		const breaking = CATALOGUE.flatMap((row) => {
			const server = breakingServer(row);
			return server ? [[rowKey(row), server] as const] : [];
		});
		await gradeAll(breaking, this.#broken);
	}

	/** Once more, alone: a machine that stood still for a moment makes any server look slow. */
	async gradeAgain(row: CatalogueRow): Promise<void> {
		for (const one of KEEPING[row.scenario])
			this.#kept.set(one, await one.grade());
		const server = breakingServer(row);
		if (server) this.#broken.set(rowKey(row), await server.grade());
	}

	lineOf(row: CatalogueRow): Line {
		const { scenario, id } = row;
		const server = breakingServer(row)?.server;
		const passing = KEEPING[scenario]
			.map((one) => ({
				server: one.server,
				verdict: this.#kept.get(one)?.get(id) ?? "-",
			}))
			.find(({ verdict }) => verdict === "SUCCESS");
		const verdict = this.#broken.get(rowKey(row))?.get(id) ?? "-";
		return {
			scenario,
			id,
			kept: passing ?? NOBODY,
			broken: server ? { server, verdict } : NOBODY,
		};
	}
}

async function readLines(): Promise<Line[]> {
	const looks = new Looks();
	await looks.gradeAll();
	for (const row of CATALOGUE)
		if (!isShown(looks.lineOf(row)) && !(rowKey(row) in UNTRIED))
			await looks.gradeAgain(row);
	return CATALOGUE.map((row) => looks.lineOf(row));
}

function tableOf(lines: readonly Line[]): string {
	const cells = [
		["rule", "passes", "", "fails", ""],
		...lines.map(({ scenario, id, kept, broken }) => [
			`${scenario}/${id}`,
			kept.verdict,
			kept.server,
			broken.verdict,
			broken.server,
		]),
	];
	const widths = [0, 1, 2, 3].map((column) =>
		Math.max(...cells.map((row) => row[column]?.length ?? 0)),
	);
	return cells
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}

const isShown = ({ kept, broken }: Line) =>
	kept.verdict === "SUCCESS" && ["FAILURE", "WARNING"].includes(broken.verdict);

const countsOf = (lines: readonly Line[]) =>
	ALL_SCENARIOS.map((scenario) => {
		const own = lines.filter((line) => line.scenario === scenario);
		const shown = own.filter(isShown).length;
		return `${scenario}: ${shown} of ${own.length} shown to pass and to fail`;
	}).join("\n");

it("each rule is kept by one server and broken by another", async () => {
	const lines = await readLines();
	console.log(`${tableOf(lines)}\n\n${countsOf(lines)}`);
	const rest = lines
		.filter((line) => !isShown(line))
		.map(({ scenario, id }) => `${scenario}/${id}`);
	console.log(`\nnot shown: ${rest.join(", ")}`);
	expect(rest.sort()).toEqual(Object.keys(UNTRIED).sort());
});
