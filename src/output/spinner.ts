// The line that turns while somebody waits. Ora is loaded only when there is a terminal to turn on.
import type { Writable } from "node:stream";

export interface Spinner {
	/** Shows a line that is visible already, in place of the one before. */
	show(line: string): void;
	/** Takes it off the terminal; whoever goes on waiting shows it again. */
	clear(): void;
}

const NO_SPINNER: Spinner = { show() {}, clear() {} };

export function openSpinner(
	stream: Writable,
	options: { isAnimated: boolean; isColored: boolean },
): Spinner {
	if (!options.isAnimated) return NO_SPINNER;
	let wanted: string | undefined;
	let running: { text: string; stop(): unknown } | undefined;
	const start = async () => {
		const { default: ora } = await import("ora");
		if (wanted === undefined || running) return;
		// The keyboard and the cursor are left alone: a process that is killed could not give them back.
		running = ora({
			text: wanted,
			// Ora asks for the type of a process stream, and uses what every terminal stream has.
			stream: stream as NodeJS.WriteStream,
			isEnabled: true,
			discardStdin: false,
			hideCursor: false,
			color: options.isColored ? "cyan" : false,
		}).start();
	};
	return {
		show(line) {
			wanted = line;
			if (running) running.text = line;
			// Without its package there is nothing to turn, and nothing lost.
			else start().catch(() => {});
		},
		clear() {
			wanted = undefined;
			// Stopped, not hidden: a running spinner of ora intercepts every write to the process's streams.
			running?.stop();
			running = undefined;
		},
	};
}
