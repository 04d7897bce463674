// The words for what was compared and what was not.
import { excerpt } from "../../protocol/index.ts";
import type { Finding } from "../finding.ts";
import type { Compared } from "./compare-modes.ts";
import type { ModeLog } from "./mode-log.ts";

/** `poll, push and webhook`; `no mode` where there is none. */
export function listWords(words: readonly string[]): string {
	const last = words.at(-1);
	if (last === undefined) return "no mode";
	const others = words.slice(0, -1);
	return others.length === 0 ? last : `${others.join(", ")} and ${last}`;
}

/** `conformance.steady by poll and push` */
export const tellFollowed = ({ subject }: Compared, logs: readonly ModeLog[]) =>
	`${excerpt(subject.name, 80)} by ${listWords(logs.map(({ mode }) => mode))}`;

/** Every mode that is not compared, and why; "every mode is compared" where none is left out. */
export function tellLeftOut({ leftOut, logs }: Compared): string {
	const told = [
		...[...leftOut].map(([mode, finding]) => `${mode}: ${whyOf(finding)}`),
		...logs.flatMap(({ mode, lost }) =>
			lost === undefined ? [] : [`${mode}: ${lost}`],
		),
	];
	return told.length === 0
		? "every mode is compared"
		: `left out: ${told.join("; ")}`;
}

function whyOf(finding: Finding): string {
	if (finding.kind === "skipped") return finding.why;
	if (finding.kind !== "untestable") return finding.found;
	const { kind, name } = finding.missing;
	return kind === "feature" ? finding.why : `${finding.why} (${name})`;
}
