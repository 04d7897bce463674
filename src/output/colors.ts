// Whether to colour, and with what. Chalk is loaded only where there is something to paint.

export type ColorDepth = 0 | 1 | 2 | 3;

type Paint = (text: string) => string;

/** What text is, not how it looks; each room that renders paints by these alone. */
export interface Palette {
	heading: Paint;
	name: Paint;
	key: Paint;
	literal: Paint;
	faint: Paint;
	warning: Paint;
	failure: Paint;
}

const same: Paint = (text) => text;

/** The palette that leaves everything as it is. */
export const PLAIN: Palette = {
	heading: same,
	name: same,
	key: same,
	literal: same,
	faint: same,
	warning: same,
	failure: same,
};

/**
 * How many colours to use: 0 none, 1 sixteen, 2 256, 3 all. FORCE_COLOR is the last word, as in Node; then NO_COLOR,
 * a stream that is no terminal and TERM=dumb each mean none.
 */
export function colorDepth(
	env: Record<string, string | undefined>,
	isTerminal: boolean,
): ColorDepth {
	const forced = env.FORCE_COLOR;
	if (forced !== undefined) {
		if (forced === "0" || forced === "false") return 0;
		if (forced === "2") return 2;
		return forced === "3" ? 3 : 1;
	}
	if (env.NO_COLOR || !isTerminal || env.TERM === "dumb") return 0;
	if (env.COLORTERM === "truecolor" || env.COLORTERM === "24bit") return 3;
	return /-256(color)?$/.test(env.TERM ?? "") ? 2 : 1;
}

/** Loads the colours of a depth; without any where none are wanted. */
export async function loadPalette(depth: ColorDepth): Promise<Palette> {
	if (depth === 0) return PLAIN;
	const { Chalk } = await import("chalk");
	const chalk = new Chalk({ level: depth });
	return {
		heading: chalk.bold,
		name: chalk.cyan.bold,
		key: chalk.blue,
		literal: chalk.yellow,
		faint: chalk.dim,
		warning: chalk.yellow,
		failure: chalk.red.bold,
	};
}
