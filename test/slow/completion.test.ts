// TAB in real shells at a real prompt, with the scripts where `completion --help` says they belong.
import { describe, expect, test } from "vitest";
import { openPrompt, type Prompt } from "../helpers/open-prompt.ts";
import { hasProgram } from "../helpers/run-shell.ts";
import { hasTmux } from "../helpers/tmux.ts";

interface Shell {
	name: string;
	/** What puts the script in its place, from the examples of the command. */
	install: string;
	/** Starts it, with completion on and nothing else of the user's. */
	start: string;
}

const SHELLS: Shell[] = [
	{
		name: "bash",
		install:
			"mkdir -p ~/.local/share/bash-completion/completions && mcp-events completion bash > ~/.local/share/bash-completion/completions/mcp-events",
		start: `printf '%s\\n' "PS1='now> '" '. /usr/share/bash-completion/bash_completion' > ~/.rc; bash --rcfile ~/.rc -i`,
	},
	{
		name: "zsh",
		install:
			"mkdir -p ~/.zfunc && mcp-events completion zsh > ~/.zfunc/_mcp-events",
		start: `printf '%s\\n' "PS1='now> '" 'fpath=(~/.zfunc $fpath)' 'autoload -Uz compinit && compinit -u' > ~/.zshrc; zsh -i`,
	},
	{
		name: "fish",
		install:
			"mkdir -p ~/.config/fish/completions && mcp-events completion fish > ~/.config/fish/completions/mcp-events.fish",
		start: `printf '%s\\n' 'function fish_prompt; echo -n "now> "; end' 'set -g fish_greeting' > ~/.config/fish/config.fish; fish -i`,
	},
];

/** Types words in place of what stands there, then TAB, twice where one only fills in what all have in common. */
function tab(prompt: Prompt, words: string): void {
	// The line editor takes this key in its turn. ^C would pass by what it has not read yet, and take the next with it.
	prompt.press("C-u");
	prompt.type(words);
	prompt.press("Tab");
	prompt.press("Tab");
}

/** All of these, in whatever order. */
const all = (...words: string[]) =>
	new RegExp(words.map((word) => `(?=[\\s\\S]*\\b${word}\\b)`).join(""));

const isMissing = ({ name }: Shell) => !hasTmux || !hasProgram(name);

describe.each(SHELLS)(
	"$name (skipped without it, or without tmux)",
	(shell) => {
		test.skipIf(isMissing(shell))(
			"completes commands, flags and values at a TAB, twice in a row",
			async () => {
				using prompt = await openPrompt(120);
				expect((await prompt.run(shell.install)).status).toBe(0);
				// Its own folders, where no variable says otherwise.
				prompt.type(`unset XDG_DATA_HOME XDG_CONFIG_HOME; ${shell.start}`);
				prompt.press("Enter");
				await prompt.until(/^now> /m);
				tab(prompt, "mcp-events captures ");
				await prompt.until(all("export", "list", "prune", "show"));
				tab(prompt, "mcp-events tail --output ");
				await prompt.until(all("cloudevents", "events", "pretty"));
				tab(prompt, "mcp-events verify --secret-f");
				await prompt.until(/mcp-events verify --secret-file/);
			},
		);
	},
);
