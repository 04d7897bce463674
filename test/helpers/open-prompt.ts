// A shell at its prompt in a real terminal (tmux), for commands that are typed, keys that are pressed, and the state
// in which a command leaves the terminal.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { BINARY, pinnedEnvironment } from "./run-cli.ts";

export interface PromptRun {
	status: number;
	/** All that the command showed, line by line as the screen has it, without the shell's own lines. */
	rows: string[];
	/** The same with each line that the terminal had to wrap in one. */
	lines: string[];
	/** Every byte that reached the terminal since the command was typed, its echo included. */
	bytes: Buffer;
}

export interface Prompt extends Disposable {
	/** Types a command line, in which `mcp-events` is the built binary; it is over when its status is shown. */
	start(command: string): void;
	/** Presses a key, by tmux's name for it. */
	press(key: string): void;
	/** Types letters, and no more. */
	type(text: string): void;
	/** Waits until the screen shows it. */
	until(pattern: RegExp): Promise<void>;
	/** The end of the command that was started last. */
	ended(): Promise<PromptRun>;
	run(command: string): Promise<PromptRun>;
	/** What a program can change and a screen does not show. */
	state(): string;
	/** What was put on the clipboard; empty: nothing. */
	clipboard(): string;
}

const STATE = [
	...["pane_title", "window_name", "cursor_x", "cursor_flag", "cursor_shape"],
	...["scroll_region_upper", "scroll_region_lower", "alternate_on"],
	...["insert_flag", "wrap_flag", "origin_flag", "keypad_flag"],
	...["keypad_cursor_flag", "mouse_any_flag", "pane_in_mode"],
	...["pane_width", "pane_height", "pane_bg", "pane_fg"],
];
const FORMAT = STATE.map((name) => `${name}=#{${name}}`).join(" ");
const DEADLINE_MS = 60_000;

/** Opens a terminal with a shell in it, in the pinned environment and an empty home; close it when done. */
export async function openPrompt(columns: number): Promise<Prompt> {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-tmux-"));
	const { NO_COLOR: _, ...env } = pinnedEnvironment(folder);
	const bytesFile = join(folder, "bytes");
	const tmux = (...words: string[]) =>
		execFileSync("tmux", ["-u", "-S", join(folder, "socket"), ...words], {
			env,
			encoding: "utf8",
		});
	writeFileSync(join(folder, "tmux.conf"), CONF);
	writeFileSync(bytesFile, "");
	const start = `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`;
	writeFileSync(join(folder, "mcp-events"), start, { mode: 0o755 });
	const ENV = join(folder, "shell-start");
	writeFileSync(ENV, `PS1='ready> '; PATH='${folder}':"$PATH"\n`);
	tmux(
		...["-f", join(folder, "tmux.conf"), "new-session", "-d"],
		...["-x", String(columns), "-y", "50", "-c", folder],
		...["-e", `ENV=${ENV}`],
		"exec sh -i",
	);
	tmux("pipe-pane", "-o", `cat >> ${bytesFile}`);
	let bytesBefore = 0;
	const capture = (...flags: string[]) =>
		tmux("capture-pane", "-p", ...flags, "-S", "-", "-E", "-");
	const until = async (pattern: RegExp) => {
		const isShown = () => pattern.test(capture("-J"));
		const patience = { timeout: DEADLINE_MS, interval: 50 };
		await vi.waitUntil(isShown, patience).catch(() => {
			throw new Error(`the screen has no ${pattern}: ${capture("-J")}`);
		});
	};
	const prompt: Prompt = {
		start(command) {
			tmux("send-keys", "-R");
			tmux("clear-history");
			bytesBefore = readFileSync(bytesFile).length;
			tmux("send-keys", "-l", `echo "<begin>"; ${command}; echo "<status=$?>"`);
			tmux("send-keys", "Enter");
		},
		press: (key) => void tmux("send-keys", key),
		type: (text) => void tmux("send-keys", "-l", text),
		until,
		async ended() {
			await until(/^<status=\d+>\s*\nready>/m);
			const all = capture("-J");
			const bytes = () => readFileSync(bytesFile).subarray(bytesBefore);
			// They may still be on their way into the file. Its echo has no number.
			await vi.waitUntil(() => /<status=\d+>/.test(`${bytes()}`), {
				timeout: DEADLINE_MS,
			});
			return {
				status: Number(/^<status=(\d+)>/m.exec(all)?.[1]),
				rows: shown(capture()),
				lines: shown(all),
				bytes: bytes(),
			};
		},
		run(command) {
			prompt.start(command);
			return prompt.ended();
		},
		state: () => tmux("display-message", "-p", FORMAT),
		clipboard: () => tmux("list-buffers"),
		[Symbol.dispose]() {
			tmux("kill-server");
			rmSync(folder, { recursive: true, force: true });
		},
	};
	await until(/^ready>/m);
	return prompt;
}

/** Everything that a hostile program could use is let in, so that what is not used shows. */
const CONF = `
set -g set-clipboard on
set -g allow-rename on
set -g automatic-rename off
set -g history-limit 100000
set -g status off
set -g default-terminal screen-256color
set -g allow-passthrough on
`;

/** What stands between the two lines that the shell writes around a command, whose echo may be wrapped just before them. */
function shown(screen: string): string[] {
	const lines = screen.split("\n").map((line) => line.trimEnd());
	const begin = lines.indexOf("<begin>");
	const end = lines.findIndex((line) => /^<status=\d/.test(line));
	return lines.slice(begin + 1, end);
}
