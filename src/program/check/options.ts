// The flags of `check server` as what a run is asked to do. Every mistake in them is told before the server is asked.

import { parseArgumentsJson } from "../../arguments/index.ts";
import { Fault } from "../../faults/index.ts";
import type { CatalogueRow, Profile, Scenario } from "../../grade/index.ts";
import { GRADE_FORMS, type GradeForm } from "../../output/index.ts";
import { parseHeader, type ReachFlags } from "../connect/connect.ts";
import { checkPublicUrl } from "../flags/public-url.ts";
import { PROFILE_CHOICES } from "./choices.ts";

/** By their own names, as oclif gives them. */
export interface CheckFlags extends ReachFlags {
	scenario?: Scenario[] | undefined;
	profile: Profile;
	/** Profiles, by commas. */
	compare?: string | undefined;
	only?: string[] | undefined;
	/** Compares the modes, too, whatever else is chosen. */
	"modes-agree"?: boolean;
	arguments?: string[] | undefined;
	"trigger-tool"?: string | undefined;
	"trigger-args"?: string | undefined;
	"second-principal-header"?: string[] | undefined;
	"public-url"?: string | undefined;
	/** Where callbacks come in; undefined: a free one. */
	port?: number | undefined;
	tunnel?: string | undefined;
	"tls-cert"?: string | undefined;
	"tls-key"?: string | undefined;
	budget: number;
	/** For one answer, in milliseconds. */
	timeout: number;
	strict: boolean;
	"expected-failures"?: string | undefined;
	output: GradeForm;
	report?: string[] | undefined;
	state?: string | undefined;
	verbose: boolean;
}

export interface ReportFile {
	form: GradeForm;
	path: string;
}

export interface CheckWords {
	only: CatalogueRow[];
	arguments: Map<string, Record<string, unknown>>;
	trigger: { tool: string; args: Record<string, unknown> } | undefined;
	secondHeaders: [string, string][];
	reports: ReportFile[];
	/** The profiles to grade by, in turn. */
	profiles: [Profile, ...Profile[]];
}

/** Throws `wrong-use` or `arguments-invalid`. `findRows` is that of the grader. */
export function readCheckWords(
	flags: CheckFlags,
	findRows: (word: string, flag: string) => CatalogueRow[],
): CheckWords {
	refuseTogether(flags);
	return {
		only: (flags.only ?? []).flatMap((word) => {
			const rows = findRows(word, "--only");
			refuseElsewhere(word, rows, flags);
			return rows;
		}),
		arguments: new Map((flags.arguments ?? []).map(readArguments)),
		trigger: readTrigger(flags),
		secondHeaders: (flags["second-principal-header"] ?? []).map((text) =>
			parseHeader(text, "--second-principal-header"),
		),
		reports: (flags.report ?? []).map(readReport),
		profiles: readProfiles(flags),
	};
}

/** A run that tries nothing would pass. */
function refuseElsewhere(
	word: string,
	rows: readonly CatalogueRow[],
	{ scenario }: CheckFlags,
): void {
	const isChosen = (row: CatalogueRow) =>
		scenario === undefined ||
		scenario.includes(row.scenario) ||
		// Whoever names a rule about modes has them compared, whatever else is chosen.
		row.scenario === "events-modes";
	const [first] = rows;
	if (!first || rows.some(isChosen)) return;
	throw new Fault("wrong-use", {
		what: `--only: ${word} is no rule of ${scenario?.join(", ")}`,
		why: `it stands in ${rows.map((row) => row.scenario).join(", ")}, which --scenario leaves out`,
		next: `leave out --scenario, or name its own: --scenario ${first.scenario}`,
	});
}

function refuseTogether(flags: CheckFlags): void {
	const { "tls-cert": cert, "tls-key": key, tunnel } = flags;
	if ((cert === undefined) !== (key === undefined))
		throw new Fault("wrong-use", {
			what: `--tls-${cert ? "cert" : "key"} is given without --tls-${cert ? "key" : "cert"}`,
			next: "--tls-cert FILE --tls-key FILE",
		});
	if (tunnel !== undefined && (cert || flags["public-url"]))
		throw new Fault("wrong-use", {
			what: `--tunnel and --${cert ? "tls-cert" : "public-url"} cannot be combined`,
			why: "a tunnel has an https address of its own, and comes to this machine by plain http",
			next: "leave one of the two out",
		});
	checkPublicUrl(flags["public-url"]);
	if (flags["public-url"] !== undefined && !flags.port)
		throw new Fault("wrong-use", {
			what: "--public-url is given without --port",
			why: "the address leads to a port of this machine, and a free one is another each time",
			next: "--public-url https://hooks.example --port 8787",
		});
	if (flags["trigger-args"] !== undefined && !flags["trigger-tool"])
		throw new Fault("wrong-use", {
			what: "--trigger-args is given without --trigger-tool",
			next: "--trigger-tool NAME --trigger-args JSON",
		});
}

/** An event name may hold a `=` only where the JSON does not begin with a brace right behind the first one. */
function readArguments(text: string): [string, Record<string, unknown>] {
	const at = text.indexOf("={");
	if (at < 1)
		throw new Fault("wrong-use", {
			what: `--arguments ${JSON.stringify(text.slice(0, 60))} is not EVENT=JSON`,
			why: "the JSON is one object, and follows the = at once",
			next: `--arguments 'orders.created={"status":"paid"}'`,
		});
	const json = text.slice(at + 1);
	return [text.slice(0, at), parseArgumentsJson(json, "--arguments")];
}

function readProfiles({
	profile,
	compare,
}: CheckFlags): CheckWords["profiles"] {
	if (compare === undefined) return [profile];
	const words = compare.split(",");
	const known = PROFILE_CHOICES.filter((choice) => words.includes(choice));
	const [first, second] = known;
	if (first && second && known.length === words.length)
		return [first, ...known.slice(1)];
	throw new Fault("wrong-use", {
		what: `--compare ${JSON.stringify(compare.slice(0, 60))} names no two different profiles`,
		why: `profiles are ${PROFILE_CHOICES.join(", ")}`,
		next: "--compare final,chatgpt",
	});
}

function readTrigger(flags: CheckFlags): CheckWords["trigger"] {
	const tool = flags["trigger-tool"];
	if (tool === undefined) return undefined;
	const text = flags["trigger-args"] ?? "{}";
	return { tool, args: parseArgumentsJson(text, "--trigger-args") };
}

function readReport(text: string): ReportFile {
	const at = text.indexOf("=");
	const form = GRADE_FORMS.find((known) => known === text.slice(0, at));
	const path = text.slice(at + 1);
	if (!form || path === "")
		throw new Fault("wrong-use", {
			what: `--report ${JSON.stringify(text.slice(0, 80))} is not KIND=FILE`,
			why: `kinds are ${GRADE_FORMS.join(", ")}`,
			next: "--report junit=report.xml",
		});
	return { form, path };
}
