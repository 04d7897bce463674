// What `check server` does: grades, shows progress, writes the reports, and says by its status how it went.
import { writeFile } from "node:fs/promises";
import { EXIT_STATUSES, Fault } from "../../faults/index.ts";
import {
	findRows,
	type GradeOptions,
	gradeServer,
	mergeReports,
	type Report,
	SCENARIOS,
} from "../../grade/index.ts";
import {
	type GradeToShow,
	type Output,
	PLAIN,
	renderGrade,
} from "../../output/index.ts";
import { LineSplitter } from "../../protocol/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import { credentialsOf, describeTarget } from "../connect/connect.ts";
import { PROGRAM } from "../process/program-name.ts";
import { Stop, type World } from "../process/world.ts";
import { compareExpected, readExpectedFailures } from "./expected-failures.ts";
import { keepReport } from "./last-run.ts";
import {
	type CheckFlags,
	type CheckWords,
	type ReportFile,
	readCheckWords,
} from "./options.ts";
import { receiverPlace } from "./receiver-place.ts";

interface Place {
	world: World;
	output: Output;
}

interface GradingPlace extends Place {
	/** Ends the run. */
	signal: AbortSignal;
}

/** Columns of a text report in a file. */
const FILE_COLUMNS = 100;
/** Of a child's stderr: what is longer is cut. */
const STDERR_LINE_BYTES = 16 * 1024;

/** Returns the exit status. Throws `wrong-use`, and the fault of a server that cannot be reached. */
export async function checkServer(
	server: ServerAddress,
	flags: CheckFlags,
	place: Place,
): Promise<number> {
	const { output, world } = place;
	const words = readCheckWords(flags, findRows);
	const expectedKeys = flags["expected-failures"]
		? await readExpectedFailures(flags["expected-failures"], findRows)
		: new Set<string>();
	const target = await describeTarget(server, flags, place);
	output.hide([
		...credentialsOf(target),
		...words.secondHeaders.map(([, value]) => value),
	]);
	const lost = new AbortController();
	const signal = AbortSignal.any([world.stop, lost.signal]);
	const { report, defects } = await gradeAll(
		{
			target,
			scenarios: flags.scenario ?? SCENARIOS,
			comparesModes: flags["modes-agree"] ?? false,
			...words,
			receiver: await receiverPlace(flags, place, lost),
			timeoutMs: flags.timeout,
			connectTimeoutMs: flags["connect-timeout"],
			budgetMs: flags.budget,
		},
		words.profiles,
		{ ...place, signal },
	);
	const shown: GradeToShow = {
		report,
		...compareExpected(report, expectedKeys),
		isVerbose: flags.verbose,
	};
	await keepReport(report, flags, place);
	await Promise.all(words.reports.map((file) => writeReport(file, shown)));
	await output.text((page) => renderGrade(shown, flags.output, page));
	const [defect] = defects;
	if (defect !== undefined) throw defect;
	const { reason } = world.stop;
	if (reason instanceof Stop) return reason.status;
	lost.signal.throwIfAborted();
	return statusOf(shown, flags.strict);
}

/** One profile after the other: side by side they would be in each other's way. */
async function gradeAll(
	options: Omit<GradeOptions, "profile">,
	[first, ...others]: CheckWords["profiles"],
	place: GradingPlace,
): Promise<{ report: Report; defects: unknown[] }> {
	const { report, defects } = await grade(
		{ ...options, profile: first },
		place,
	);
	if (others.length === 0) return { report, defects };
	const reports: [Report, ...Report[]] = [report];
	for (const profile of others) {
		const next = await grade({ ...options, profile }, place);
		reports.push(next.report);
		defects.push(...next.defects);
	}
	return { report: mergeReports(reports), defects };
}

async function grade(
	options: GradeOptions,
	{ world, output, signal }: GradingPlace,
): Promise<{ report: Report; defects: unknown[] }> {
	const { now, setTimer, random, atExit } = world;
	const onLine = (line: Buffer) => output.childLine(line);
	const stderr = new LineSplitter(STDERR_LINE_BYTES, {
		onLine,
		onTooLong: onLine,
	});
	output.status("asking the server what it speaks");
	let total = 0;
	let done = 0;
	try {
		for await (const item of gradeServer(options, {
			now,
			setTimer,
			random,
			signal,
			clientInfo: PROGRAM,
			onStderr: (chunk) => stderr.push(chunk),
			atExit,
		})) {
			if (item.kind === "report") return item;
			if (item.kind === "started") total = item.rows;
			else {
				done++;
				const { scenario, id } = item.row;
				output.status(`${done} of ${total} rules: ${scenario}/${id}`);
			}
		}
	} finally {
		output.status(undefined);
	}
	throw new Error("the run ended without a report");
}

async function writeReport(
	{ form, path }: ReportFile,
	shown: GradeToShow,
): Promise<void> {
	const text = renderGrade(shown, form, {
		width: FILE_COLUMNS,
		palette: PLAIN,
	});
	try {
		await writeFile(path, text);
	} catch (cause) {
		throw new Fault("file-failed", {
			what: `the report ${path} cannot be written`,
			...(cause instanceof Error && { why: cause.message }),
			next: `name another file: --report ${form}=FILE`,
			cause,
		});
	}
}

/** A pass that was said to fail counts like a failure: the file is out of date, or the check is. */
function statusOf(shown: GradeToShow, isStrict: boolean): number {
	const { report, expected, unexpectedPasses } = shown;
	if (!report.offersEvents)
		throw new Fault("not-events", {
			what: `${report.server.label} does not offer MCP Events`,
			why: "it declares no such extension, and answers events/list with -32601",
			next: "check that the address is that of a server with MCP Events",
		});
	const { FAILURE, UNTESTABLE } = report.counts;
	if (FAILURE > expected.length || unexpectedPasses.length > 0)
		return EXIT_STATUSES.no.status;
	if (isStrict && (UNTESTABLE > 0 || !report.isComplete))
		return EXIT_STATUSES.incomplete.status;
	return EXIT_STATUSES.done.status;
}
