// Knows when a child can be spoken to no more, and says how that came about.
import type { ChildProcessWithoutNullStreams } from "node:child_process";

/** How long the rest is awaited once one part of a child has ended: its exit, its stdout, its stdin. */
const REST_MS = 500;

/** Calls `onEnd` once, after all output of the child has been read; `how` completes "the server command …". */
export function watchForEnd(
	child: ChildProcessWithoutNullStreams,
	onEnd: (how: string) => void,
): void {
	let isOver = false;
	let timer: NodeJS.Timeout | undefined;
	let closedPart: string | undefined;

	const finish = () => {
		if (isOver) return;
		isOver = true;
		clearTimeout(timer);
		onEnd(howItEnded(child, closedPart));
	};
	const finishSoon = (part?: string) => {
		closedPart ??= part;
		if (isOver) return;
		timer ??= setTimeout(() => {
			timer = undefined;
			// Paused: a consumer is behind, and what the child said last still stands in the pipe.
			if (child.stdout.isPaused()) finishSoon();
			else finish();
		}, REST_MS);
		// A child that is being ended must not be waited for.
		timer.unref();
	};

	child.once("close", finish);
	// A grandchild may hold stdout open for good, so "close" alone is not to be waited for.
	child.once("exit", () => finishSoon());
	child.stdout.once("end", () => finishSoon("stdout"));
	child.stdout.once("error", () => finishSoon("stdout"));
	// EPIPE: a child that closed its stdin can be asked nothing more.
	child.stdin.on("error", () => finishSoon("stdin"));
}

function howItEnded(
	child: ChildProcessWithoutNullStreams,
	closedPart: string | undefined,
): string {
	if (child.signalCode) return `was ended by ${child.signalCode}`;
	if (child.exitCode !== null) return `ended with status ${child.exitCode}`;
	return `closed its ${closedPart} and still runs`;
}
