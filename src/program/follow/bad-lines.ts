// Lines of --from that cannot be followed, told all at once.
import { Fault } from "../../faults/index.ts";

export interface BadLine {
	/** From 1. */
	line: number;
	problem: string;
}

const SHOWN = 20;

/** One `wrong-use` for all of them; beyond some they are only counted. */
export function badLines(bad: readonly BadLine[], file: string): Fault {
	const count = bad.length;
	const sorted = [...bad].sort((a, b) => a.line - b.line);
	const shown = sorted
		.slice(0, SHOWN)
		.map(({ line, problem }) => `line ${line}: ${problem}`);
	const more = count > SHOWN ? [`and ${count - SHOWN} more`] : [];
	const name = file === "-" ? "stdin" : file;
	return new Fault("wrong-use", {
		what: `${count === 1 ? "a line" : `${count} lines`} of ${name} cannot be followed (--from)`,
		why: [...shown, ...more].join("; "),
		next: 'a line is EVENT -a KEY=VALUE, or {"event": "EVENT", "arguments": {"KEY": "VALUE"}}',
	});
}
