// --speed as a user writes it: 1x keeps the time, 10x is ten times as fast, max leaves no gap.
import { Fault } from "../../faults/index.ts";

/** The factor; undefined for `max`. Throws `wrong-use`. */
export function parseSpeed(text: string): number | undefined {
	if (text === "max") return undefined;
	const factor = Number(/^(\d+(?:\.\d+)?)x$/.exec(text)?.[1]);
	if (factor > 0) return factor;
	throw new Fault("wrong-use", {
		what: `--speed ${JSON.stringify(text)} is no speed`,
		why: "allowed: a factor such as 1x, 0.5x or 10x, or max",
		next: "--speed 10x",
	});
}
