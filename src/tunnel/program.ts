// A tunnel program as a child: started in a group of its own, read line by line, ended with all that it started.
import type { ChildProcess } from "node:child_process";
import {
	type ChildProgram,
	signalGroup,
	spawnGroup,
} from "../children/index.ts";
import { readLines } from "./read-lines.ts";

export interface ProgramPieces {
	onLine(line: string): void;
	/** Registers a synchronous last act for a forced exit; returns what takes it back. */
	atExit(act: () => void): () => void;
}

/** How a program ended: in words, and by Node's error code where it could not even be started. */
export interface Ending {
	how: string;
	errorCode?: string;
}

export interface RunningProgram {
	/** Resolves when it has ended, however that came about. Never rejects. */
	readonly ended: Promise<Ending>;
	/** The last lines that it wrote, each cut. */
	lastLines(): string[];
	/** Ends it and all that it started, in at most 1.5 s. Never throws. */
	end(): Promise<void>;
}

/** Unsubscribing at a server that hangs goes before it and takes 3.5 s; all clean-up has five. */
const POLITE_MS = 1_000;
const FIRM_MS = 500;
/** What it wrote just before it ended is still on its way for a moment. */
const LAST_WORDS_MS = 200;
const KEPT_LINES = 4;
const KEPT_LINE_LENGTH = 300;

/** Starts the program. One that cannot be started is told by `ended`. */
export function startProgram(
	program: ChildProgram,
	{ onLine, atExit }: ProgramPieces,
): RunningProgram {
	const child = start(program);
	if (child instanceof Error) return neverStarted(child);
	const kept: string[] = [];
	const take = (line: string) => {
		kept.push(line.slice(0, KEPT_LINE_LENGTH));
		if (kept.length > KEPT_LINES) kept.shift();
		onLine(line);
	};
	readLines(child.stdout, take);
	readLines(child.stderr, take);
	const forget = atExit(() => signalGroup(child, "SIGKILL"));
	const ended = watch(child).finally(forget);
	return {
		ended,
		lastLines: () => [...kept],
		async end() {
			signalGroup(child, "SIGTERM");
			if (!(await isOverWithin(ended, POLITE_MS))) {
				signalGroup(child, "SIGKILL");
				await isOverWithin(ended, FIRM_MS);
			}
			child.stdout.destroy();
			child.stderr.destroy();
			child.unref();
		},
	};
}

function start(program: ChildProgram) {
	try {
		return spawnGroup(program);
	} catch (error) {
		// Node throws the rarer reasons, and sends the others as events.
		return error instanceof Error ? error : new Error(String(error));
	}
}

function neverStarted(error: NodeJS.ErrnoException): RunningProgram {
	const ending = { how: error.message, errorCode: error.code ?? "" };
	return {
		ended: Promise.resolve(ending),
		lastLines: () => [],
		end: async () => {},
	};
}

function watch(child: ChildProcess): Promise<Ending> {
	return new Promise((resolve) => {
		// A program that is not there gives an error and no exit.
		child.once("error", (error: NodeJS.ErrnoException) => {
			if (child.pid === undefined)
				resolve({ how: error.message, errorCode: error.code ?? "" });
		});
		child.once("exit", (status, signal) => {
			// Nothing that it started may outlive it.
			signalGroup(child, "SIGKILL");
			const how = signal ? `ended by ${signal}` : `exit status ${status}`;
			const timer = setTimeout(resolve, LAST_WORDS_MS, { how });
			child.once("close", () => {
				clearTimeout(timer);
				resolve({ how });
			});
		});
	});
}

function isOverWithin(
	ended: Promise<unknown>,
	waitMs: number,
): Promise<boolean> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, waitMs, false);
		ended.then(() => {
			clearTimeout(timer);
			resolve(true);
		});
	});
}
