// Asks a real shell, which has read a completion script of ours, what it would offer at the end of a line. Bash and zsh
// offer nothing without a terminal: there the script runs on the words that the shell would hand to it, and what it
// gives to the completion system is printed,
// less what does not begin as the last word does, which zsh's own would leave out. Fish answers by itself.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type CompletingShell = "bash" | "zsh" | "fish";

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The candidates, one each, without their texts; `cwd` holds a file and a folder to be found. */
export function complete(
	shell: CompletingShell,
	script: string,
	line: string,
): string[] {
	const cwd = mkdtempSync(join(tmpdir(), "mcp-events-complete-"));
	try {
		writeFileSync(join(cwd, "script"), script);
		writeFileSync(join(cwd, "a file"), "");
		execFileSync("mkdir", [join(cwd, "a-folder")]);
		const stdout = execFileSync(shell, ASK[shell](line), {
			cwd,
			encoding: "utf8",
			env: { PATH: process.env.PATH ?? "", HOME: cwd, LANG: "C.UTF-8" },
			stdio: ["ignore", "pipe", "inherit"],
		});
		return stdout.split("\0").filter((each) => each !== "");
	} finally {
		rmSync(cwd, { recursive: true, force: true });
	}
}

const ASK: Record<CompletingShell, (line: string) => string[]> = {
	bash: (line) => {
		const words = bashWords(line);
		return [
			"--norc",
			"-c",
			`set -f; . ./script; set +f
			COMP_WORDS=(${words.map(quote).join(" ")}) COMP_CWORD=${words.length - 1}
			_mcp_events 2>&1; for each in "\${COMPREPLY[@]}"; do printf '%s\\0' "$each"; done`,
		];
	},
	zsh: (line) => {
		const words = line.split(" ");
		return [
			"-f",
			"-c",
			`compdef() { : }
			compset() { words[CURRENT]=\${words[CURRENT]#*=} }
			_message() { : }
			_normal() { print -rN -- "normal: $words" }
			_files() { if [[ $1 == -/ ]]; then print -rN a-folder; else print -rN a-folder 'a file'; fi }
			_describe() { [[ $1 == -* ]] && print "bad option"; local each; for each in "\${(@P)2}"; do [[ $each == $words[CURRENT]* ]] && print -rN -- "$each"; done; true }
			. ./script
			words=(${words.map(quote).join(" ")}) CURRENT=${words.length}
			_mcp_events; true`,
		];
	},
	fish: (line) => [
		"--no-config",
		"-c",
		`source ./script; complete -C ${quote(line)} | string split0 | while read -l each; printf '%s\\0' $each; end`,
	],
};

/** As readline cuts a line: at blanks, and around = and :, which become words. */
function bashWords(line: string): string[] {
	const words = line.match(/[=:]+|[^\s=:]+/g) ?? [];
	return /\s$/.test(line) ? [...words, ""] : words;
}
