// The way out for everything that is not data: lines for people, in the order they were told.
import { createMask } from "../faults/index.ts";
import type { Palette } from "./colors.ts";
import { clip } from "./display-width.ts";
import type { Sink } from "./sink.ts";
import { openSpinner } from "./spinner.ts";
import { visibleText } from "./visible-text.ts";

export interface Stderr {
	/** Writes what `render` makes, which must be visible already, and a line end. */
	write(render: (palette: Palette) => string): void;
	/** Passes on a line of a child; where stderr is not read, lines are left out, and their number is told. */
	childLine(line: Buffer | string): void;
	/** A line that turns until the next write; nothing where it cannot turn. */
	spin(text: string): void;
	/** Takes the turning line away. */
	clear(): void;
	/** Hides these from here on, in whatever is written. */
	hide(secrets: readonly string[]): void;
	/** The text with what is to be hidden hidden: for what others write. */
	mask(text: string): string;
	/** Resolves when all lines are accepted, or never can be. */
	flush(): Promise<void>;
}

const WAITING_BYTES = 1024 * 1024;
const CHILD_LINE_BYTES = 16 * 1024;

export function openStderr(
	sink: Sink,
	options: { palette: Promise<Palette>; isQuiet: boolean },
): Stderr {
	const { stream } = sink;
	stream.on("error", () => {});
	const spinner = openSpinner(stream, {
		isAnimated: sink.isTerminal && !sink.isDumb && !options.isQuiet,
		isColored: sink.colorDepth > 0,
	});
	let palette: Palette | undefined;
	let mask = createMask([]);
	const waiting: ((palette: Palette) => string)[] = [];
	const put = (line: string) => {
		spinner.clear();
		if (stream.writable) stream.write(`${mask(line)}\n`);
	};
	const loaded = options.palette.then((ready) => {
		palette = ready;
		for (const render of waiting.splice(0)) put(render(ready));
	});
	const write = (render: (palette: Palette) => string) => {
		if (palette) put(render(palette));
		else waiting.push(render);
	};
	return {
		write,
		childLine: childLines(write, () => stream.writableLength > WAITING_BYTES),
		spin(text) {
			spinner.show(clip(visibleText(text), Math.max(20, sink.columns - 3)));
		},
		clear: spinner.clear,
		hide(secrets) {
			mask = createMask(secrets);
		},
		mask: (text) => mask(text),
		async flush() {
			await loaded;
			if (!stream.writable) return;
			await new Promise<void>((resolve) => {
				stream.once("close", resolve);
				stream.write("", () => {
					stream.off("close", resolve);
					resolve();
				});
			});
		},
	};
}

function childLines(write: Stderr["write"], isStuck: () => boolean) {
	let leftOut = 0;
	return (line: Buffer | string) => {
		if (isStuck()) {
			leftOut++;
			return;
		}
		if (leftOut > 0) {
			const count = leftOut;
			write(({ faint }) => faint(`server| … ${count} lines left out`));
		}
		leftOut = 0;
		const text = childText(line);
		write(({ faint }) => `${faint("server|")} ${text}`.trimEnd());
	};
}

function childText(line: Buffer | string): string {
	const bytes = typeof line === "string" ? Buffer.from(line) : line;
	const start = bytes.toString("utf8", 0, CHILD_LINE_BYTES);
	const rest = bytes.length - CHILD_LINE_BYTES;
	// A tab only moves to the right, and logs are full of them.
	const shown = visibleText(
		start.replace(/[\r\n]+$/, "").replaceAll("\t", "    "),
	);
	return rest > 0 ? `${shown}… (${rest} more bytes)` : shown;
}
