// The one way to the terminal: data to stdout by the form asked for, all else to stderr (product.md, Output).
import type { Item } from "../tail/index.ts";
import {
	type BatchWatch,
	createBatchWriter,
	type Ways,
} from "./batch-writer.ts";
import { loadPalette, type Palette, PLAIN } from "./colors.ts";
import { asFault, renderFault, stackLines } from "./fault-text.ts";
import type { Form } from "./item-writer.ts";
import type { Page } from "./pretty.ts";
import { faultRecord } from "./records.ts";
import { describeSink, type Sink, type TerminalStream } from "./sink.ts";
import { openStderr } from "./stderr.ts";
import { openStdout, ReaderGone } from "./stdout.ts";
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
	items(batch: readonly Item[], watch?: BatchWatch): Promise<void>;
	/** Writes texts of JSON to stdout, each on its line, by the same rules. None may hold a line end. */
	lines(texts: readonly (Buffer | string)[]): Promise<void>;
	/** Writes bytes to stdout as they are; a terminal gets them as visible text. */
	bytes(bytes: Buffer): Promise<void>;
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
	/** Hides credentials of ours in what is told from here on: a server may repeat them in its words. */
	hide(secrets: readonly string[]): void;
	/** Shows on a terminal that we wait, until the next thing is written; undefined ends it. */
	status(text: string | undefined): void;
	/**
	 * Shows what ended the program: a fault in its three ways, anything else as our defect. On stderr; as one record on
	 * stdout under `records`. A reader that went away is no news. Never rejects.
	 */
	fault(error: unknown): Promise<void>;
	/** Resolves when all that was written has left. The streams stay open: whoever handed them in owns them. */
	close(): Promise<void>;
}

/** Opens the output on two streams. It never ends the process, and never closes the streams. */
export function openOutput(pieces: OutputPieces): Output {
	const { form } = pieces;
	const out = describeSink(pieces.stdout, pieces.env);
	const err = describeSink(pieces.stderr, pieces.env);
	const stdout = openStdout(out.stream, out.isTerminal);
	const stderr = openStderr(err, {
		palette: loadPalette(err.colorDepth).catch(() => PLAIN),
		isQuiet: pieces.quiet,
	});
	const ways: Ways = {
		pieces,
		stderr,
		put(bytes) {
			if (out.isTerminal) stderr.clear();
			return stdout.write(bytes);
		},
		hasLeft: () => stdout.hasLeft,
		isTerminal: out.isTerminal,
		isOneScreen: out.isTerminal && err.isTerminal,
	};
	const { page, painted } = openPage(out);
	const output: Output = {
		form,
		source: pieces.source,
		readerGone: stdout.readerGone,
		items: createBatchWriter(ways, {
			page,
			painted,
			source: () => output.source,
		}),
		lines: (texts) => writeLines(ways, texts),
		bytes: (bytes) =>
			ways.put(
				ways.isTerminal
					? visibleText(bytes.toString("utf8"), { multiline: true })
					: bytes,
			),
		async text(text) {
			await painted;
			const shown =
				typeof text === "string"
					? visibleText(text, { multiline: true })
					: text(page);
			if (shown !== "")
				await ways.put(shown.endsWith("\n") ? shown : `${shown}\n`);
		},
		hide: stderr.hide,
		...createTalk(ways),
		fault: (error) => showFault(ways, error),
		async close() {
			stderr.clear();
			await Promise.all([stdout.flush(), stderr.flush()]);
		},
	};
	return output;
}

/** The page of stdout: its colours come with `painted`, its width is asked for each time. */
function openPage(out: Sink): { page: Page; painted: Promise<void> } {
	const page: Page = {
		get width() {
			return out.columns;
		},
		palette: PLAIN,
	};
	const setPalette = (palette: Palette) => {
		page.palette = palette;
	};
	// Without its colours a text is still a text.
	const painted = loadPalette(out.colorDepth).then(setPalette, () => {});
	return { page, painted };
}

function createTalk({
	pieces,
	stderr,
}: Ways): Pick<Output, "note" | "say" | "warn" | "childLine" | "status"> {
	const { programName, verbose, quiet } = pieces;
	return {
		note(text) {
			const line = `${programName}: note: ${visibleLine(text)}`;
			if (verbose) stderr.write(({ faint }) => faint(line));
		},
		say(text) {
			if (!quiet) stderr.write(() => `${programName}: ${visibleLine(text)}`);
		},
		warn(text) {
			stderr.write(
				({ warning }) =>
					`${programName}: ${warning("warning:")} ${visibleLine(text)}`,
			);
		},
		childLine: stderr.childLine,
		status(text) {
			if (text === undefined) stderr.clear();
			else stderr.spin(text);
		},
	};
}

async function writeLines(
	ways: Ways,
	texts: readonly (Buffer | string)[],
): Promise<void> {
	if (texts.length === 0) return;
	if (!ways.isTerminal && texts.every((text) => typeof text === "string")) {
		await ways.put(`${texts.join("\n")}\n`);
		return;
	}
	const end = Buffer.from("\n");
	const bytes = texts.flatMap((text) => {
		const json = typeof text === "string" ? Buffer.from(text) : text;
		return [ways.isTerminal ? visibleJson(json) : json, end];
	});
	await ways.put(Buffer.concat(bytes));
}

async function showFault(ways: Ways, error: unknown): Promise<void> {
	const { pieces, stderr } = ways;
	if (error instanceof ReaderGone) return;
	if (pieces.form === "records") {
		try {
			await writeLines(ways, [
				stderr.mask(faultRecord(asFault(error)).toString("utf8")),
			]);
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
