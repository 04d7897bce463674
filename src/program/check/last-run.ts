// The report of the last run, kept in the state folder so that --explain can show what was seen.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Report } from "../../grade/index.ts";
import type { Output } from "../../output/index.ts";
import { isRecord } from "../../protocol/index.ts";
import { readJsonFile, writeJsonFile } from "../../state/index.ts";
import { type StateFlags, stateFolder } from "../connect/state-place.ts";
import type { World } from "../process/world.ts";

interface Place {
	world: World;
	output: Output;
}

const fileOf = (flags: StateFlags, world: World) =>
	join(stateFolder(flags, world), "check", "last-server.json");

/** A report that cannot be kept is told, and is no failure of the run. */
export async function keepReport(
	report: Report,
	flags: StateFlags,
	{ world, output }: Place,
): Promise<void> {
	try {
		await writeJsonFile(fileOf(flags, world), report, randomUUID());
	} catch (fault) {
		output.warn(fault instanceof Error ? fault.message : String(fault));
	}
}

export function readLastReport(
	flags: StateFlags,
	{ world, output }: Place,
): Promise<Report | undefined> {
	return readJsonFile(fileOf(flags, world), asReport, {
		unique: randomUUID(),
		damaged: (text) => output.warn(text),
	});
}

const asReport = (value: unknown) => (isReport(value) ? value : undefined);

/** Written by ourselves; only what is read of it is checked. */
function isReport(value: unknown): value is Report {
	return (
		isRecord(value) &&
		value.reportVersion === 1 &&
		Array.isArray(value.rows) &&
		isRecord(value.server)
	);
}
