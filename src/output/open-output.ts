// The one way to the terminal: data to stdout by the form asked for, all else to stderr (product.md, Output).
import type { Item } from "../tail/index.ts";
import { loadPalette, PLAIN } from "./colors.ts";
import { asFault, renderFault, stackLines } from "./fault-text.ts";
import { createItemWriter, type Form, joinParts } from "./item-writer.ts";
import type { Page } from "./pretty.ts";
import { faultRecord } from "./records.ts";
import { describeSink, type TerminalStream } from "./sink.ts";
import { openStderr, type Stderr } from "./stderr.ts";
import { openStdout, type Stdout } from "./stdout.ts";
import { tellItem } from "./told-item.ts";
import { visibleJson, visibleLine, visibleText } from "./visible-text.ts";

export interface OutputPieces {
	stdout: TerminalStream;
	stderr: TerminalStream;
	env: Record<string, string | undefined>;
	form: Form;
	/** The server, for CloudEvents; may be set later, when it is known. */
	source: string;
	verbose: boolean;
	quiet: boolean;
	programName: string;
}

export interface Output {
	readonly form: Form;
	source: string;
	/** Aborted, with a ReaderGone, once it is known that nobody reads stdout any more. */
	readonly readerGone: AbortSignal;
	/**
	 * Shows a batch where its form has it. Resolves when the readers have accepted all of it: only then may a cursor be
	 * saved, or more be fetched. Rejects with ReaderGone, or an `output-failed` fault.
	 */
	items(batch: readonly Item[]): Promise<void>;
	/** Writes texts of JSON to stdout, each on its line, by the same rules. None may hold a line end. */
	lines(texts: readonly (Buffer | string)[]): Promise<void>;
	/** Writes text for people to stdout. A plain text is made visible; a function must return what is visible. */
	text(text: string | ((page: Page) => string)): Promise<void>;
	/** One line on stderr that only --verbose shows. */
	note(text: string): void;
	/** One line on stderr that --quiet silences. */
	say(text: string): void;
	/** One line on stderr, always. */
	warn(text: string): void;
	/** Passes on a line that a child wrote on its stderr; --quiet does not silence it, it may be an error. */
	childLine(line: Buffer | string): void;
	/** Shows on a terminal that we wait, until the next thing is written; undefined ends it. */
	status(text: string | undefined): void;
	/**
	 * Shows what ended the program: a fault in its three parts, anything else as our defect. On stderr; as one record on
	 * stdout under `records`. Never rejects.
	 */
	fault(error: unknown): Promise<void>;
	/** Resolves when all that was written has left. The streams stay open: whoever handed them in owns them. */
	close(): Promise<void>;
}

interface Parts {
	pieces: OutputPieces;
	stdout: Stdout;
	stderr: Stderr;
	/** Writes to stdout what is for stdout, after what turns on the same terminal is gone. */
	put(bytes: Buffer | string): Promise<void>;
	isTerminal: boolean;
	/** Both ways end on the same screen, so their order can be seen. */
	isOneScreen: boolean;
}

/** Opens the output on two streams. It never ends the process, and never closes the streams. */
export function openOutput(pieces: OutputPieces): Output {
	const { form, programName, verbose, quiet } = pieces;
	const out = describeSink(pieces.stdout, pieces.env);
	const err = describeSink(pieces.stderr, pieces.env);
	const stdout = openStdout(out.stream, out.isTerminal);
	const stderr = openStderr(err, {
		palette: loadPalette(err.colorDepth).catch(() => PLAIN),
		isQuiet: quiet,
	});
	const parts: Parts = {
		pieces,
		stdout,
		stderr,
		put(bytes) {
			if (out.isTerminal) stderr.clear();
			return stdout.write(bytes);
		},
		isTerminal: out.isTerminal,
		isOneScreen: out.isTerminal && err.isTerminal,
	};
	const page: Page = {
		get width() {
			return out.columns;
		},
		palette: PLAIN,
	};
	const painted = loadPalette(out.colorDepth).then(
		(palette) => {
			page.palette = palette;
		},
		() => {},
	);
	const output: Output = {
		form,
		source: pieces.source,
		readerGone: stdout.readerGone,
		items: createItemsWriter(parts, {
			page,
			painted,
			source: () => output.source,
		}),
		lines: (texts) => writeLines(parts, texts),
		async text(text) {
			await painted;
			const shown =
				typeof text === "string"
					? visibleText(text, { multiline: true })
					: text(page);
			if (shown !== "")
				await parts.put(shown.endsWith("\n") ? shown : `${shown}\n`);
		},
		note: (text) => {
			if (verbose)
				stderr.write(({ faint }) =>
					faint(`${programName}: note: ${visibleLine(text)}`),
				);
		},
		say: (text) => {
			if (!quiet) stderr.write(() => `${programName}: ${visibleLine(text)}`);
		},
		warn: (text) =>
			stderr.write(
				({ warning }) =>
					`${programName}: ${warning("warning:")} ${visibleLine(text)}`,
			),
		childLine: stderr.childLine,
		status: (text) => (text === undefined ? stderr.clear() : stderr.spin(text)),
		fault: (error) => showFault(parts, error),
		async close() {
			stderr.clear();
			await Promise.all([stdout.flush(), stderr.flush()]);
		},
	};
	return output;
}

function createItemsWriter(
	parts: Parts,
	options: { page: Page; painted: Promise<void>; source: () => string },
): Output["items"] {
	const { form } = parts.pieces;
	const writer = createItemWriter(form, { ...options, ...parts });
	return async (batch) => {
		if (form === "pretty") await options.painted;
		const written: Promise<void>[] = [];
		let line: Buffer[] = [];
		let hasTold = false;
		const flush = () => {
			if (line.length > 0) written.push(parts.put(joinParts(line)));
			line = [];
		};
		for (const item of batch) {
			if (writer.add(item, line) || item.kind === "event") continue;
			// Elsewhere one write is enough: nobody sees the order of two ways that part.
			if (parts.isOneScreen) flush();
			hasTold = tell(parts, item) || hasTold;
		}
		flush();
		if (hasTold) written.push(parts.stderr.flush());
		await Promise.all(written);
	};
}

/** Tells an item on stderr, if it is to be told at all. */
function tell(
	{ pieces, stderr }: Parts,
	item: Exclude<Item, { kind: "event" }>,
): boolean {
	const { level, text } = tellItem(item);
	if (level === "detail" && !pieces.verbose) return false;
	if (level === "status" && pieces.quiet) return false;
	stderr.write((palette) => {
		const isLoss = level === "loss";
		return `${pieces.programName}: ${isLoss ? palette.warning(text) : text}`;
	});
	return true;
}

async function writeLines(
	parts: Parts,
	texts: readonly (Buffer | string)[],
): Promise<void> {
	if (texts.length === 0) return;
	const end = Buffer.from("\n");
	const bytes = texts.flatMap((text) => {
		const json = typeof text === "string" ? Buffer.from(text) : text;
		return [parts.isTerminal ? visibleJson(json) : json, end];
	});
	await parts.put(Buffer.concat(bytes));
}

async function showFault(parts: Parts, error: unknown): Promise<void> {
	const { pieces, stderr } = parts;
	if (pieces.form === "records") {
		try {
			await writeLines(parts, [faultRecord(asFault(error))]);
			const stack = error === asFault(error) ? [] : stackLines(error);
			for (const line of stack) stderr.write(() => line);
			return;
		} catch {
			// stdout is what failed, or nobody reads it: stderr is left.
		}
	}
	stderr.write((palette) =>
		renderFault(error, { programName: pieces.programName, palette }),
	);
	await stderr.flush();
}
