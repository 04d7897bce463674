// A fault as people read it, in its three parts; and a defect of ours, with what its report needs.
import { Fault } from "../faults/index.ts";
import { type Palette, PLAIN } from "./colors.ts";
import { visibleLine } from "./visible-text.ts";

const MOST_STACK_LINES = 20;

/**
 * The lines of a fault, or of anything else that was thrown, without the last line end. All of it is visible, and each
 * part on one line: a line feed of a stranger could otherwise fake the parts that follow.
 */
export function renderFault(
	error: unknown,
	options: { programName: string; palette?: Palette },
): string {
	const { programName, palette = PLAIN } = options;
	const fault = asFault(error);
	const lines = [
		`${palette.failure(`${programName}:`)} ${visibleLine(fault.what)}`,
	];
	if (fault.why)
		lines.push(`  ${palette.faint("why:")}  ${visibleLine(fault.why)}`);
	if (fault.next)
		lines.push(`  ${palette.faint("next:")} ${visibleLine(fault.next)}`);
	if (fault !== error) lines.push(...stackLines(error));
	return lines.join("\n");
}

/** The error itself where it is a fault; anything else is our defect, told as one. */
export function asFault(error: unknown): Fault {
	if (error instanceof Fault) return error;
	return new Fault("bug", {
		what: `this is a defect of mcp-events: ${firstLine(messageOf(error))}`,
		why: "not known; the lines at the end say where it happened",
		next: "please report it with those lines and the command that you ran",
		cause: error,
	});
}

/** Where an error that is no fault came from, and what caused it; visible, one place a line. */
export function stackLines(error: unknown): string[] {
	const lines: string[] = [];
	const seen = new Set<unknown>();
	for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
		seen.add(at);
		const stack = (at.stack ?? messageOf(at)).split("\n");
		lines.push(...(seen.size > 1 ? ["caused by:", ...stack] : stack));
	}
	return lines
		.slice(0, MOST_STACK_LINES)
		.map((line) => `    ${visibleLine(line.trim())}`);
}

function messageOf(error: unknown): string {
	return error instanceof Error
		? `${error.name}: ${error.message}`
		: String(error);
}

function firstLine(text: string): string {
	return text.split("\n", 1)[0] ?? "";
}
