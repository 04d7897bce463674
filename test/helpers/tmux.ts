// A real terminal to run commands in: tmux on a socket of its own. What was written to it and what it shows can be told
// apart, which is how one sees whether anything moved.
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { vi } from "vitest";
import { pinnedEnvironment } from "./run-cli.ts";

const run = promisify(execFile);

/** Whether tmux is installed; its tests are skipped by name where it is not. */
export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export interface Terminal extends AsyncDisposable {
	/** Runs words in the terminal to their end; returns what was written, byte for byte, and the exit status. */
	run(words: string[]): Promise<{ written: string; status: number }>;
	/** The lines that it shows, those that scrolled away included; a folded line is one. */
	shown(): Promise<string[]>;
	/** A value of tmux about the terminal, such as `pane_title` or `alternate_on`. */
	ask(name: string): Promise<string>;
	/** What programs have put into the clipboard. */
	clipboard(): Promise<string>;
}

const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** Opens a terminal of 100 columns, with an empty home and a quiet shell. */
export async function openTerminal(): Promise<Terminal> {
	const home = mkdtempSync(join(tmpdir(), "mcp-events-tmux-"));
	const { NO_COLOR: _, ...env } = pinnedEnvironment(home);
	const written = join(home, "written");
	const tmux = async (...args: string[]) => {
		const all = ["-u", "-S", join(home, "socket"), "-f", "/dev/null", ...args];
		return (await run("tmux", all, { env, timeout: 60_000 })).stdout;
	};
	await tmux("new-session", "-d", "-x", "100", "-y", "30", "cat");
	await tmux("set-option", "-g", "remain-on-exit", "on");
	await tmux("set-option", "-g", "history-limit", "100000");
	await tmux("set-option", "-s", "set-clipboard", "on");
	await tmux("select-pane", "-T", "the title");
	return {
		async run(words) {
			const script = join(home, "script.sh");
			const mine = `tmux -S ${quote(join(home, "socket"))}`;
			writeFileSync(
				script,
				`${mine} wait-for go; printf 'BEFORE\\n'; ${words.map(quote).join(" ")}; printf 'AFTER %s\\n' $?; ${mine} wait-for -S done; cat`,
			);
			await tmux("set-option", "-g", "default-size", "100x30");
			await tmux("respawn-pane", "-k", `sh ${quote(script)}`);
			await tmux("pipe-pane", `cat > ${quote(written)}`);
			await tmux("wait-for", "-S", "go");
			await tmux("wait-for", "done");
			// What was written before that may still be on its way into the file.
			const text = () => readFileSync(written, "utf8");
			const isAll = () => /AFTER \d+\r?\n/.test(text());
			await vi.waitUntil(isAll, { timeout: 60_000 });
			await tmux("pipe-pane");
			const status = Number(/AFTER (\d+)/.exec(text())?.[1]);
			return { written: text(), status };
		},
		async shown() {
			const text = await tmux("capture-pane", "-p", "-J", "-S", "-");
			return text.split("\n").map((line) => line.trimEnd());
		},
		ask: async (name) =>
			(await tmux("display-message", "-p", `#{${name}}`)).trim(),
		clipboard: () => tmux("list-buffers"),
		async [Symbol.asyncDispose]() {
			await tmux("kill-server").catch(() => {});
			rmSync(home, { recursive: true, force: true });
		},
	};
}
