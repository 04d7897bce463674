// completion SHELL: the script with which a shell completes our words.
import { Args } from "@oclif/core";
import { SHELLS, type Shell } from "../program/completion/shells.ts";
import { talkFlags } from "../program/flags/flags.ts";
import { EventsCommand } from "../program/process/command.ts";

export default class Completion extends EventsCommand {
	static override summary =
		"Print the completion script of a shell: bash, zsh, fish or powershell.";
	static override description =
		"Commands, flags, the values of flags that have a few, and files where a flag takes one. Everything stands in the script, so that a TAB starts no process; the names of a server's events are therefore not completed. Write it where the shell looks for it, and again after an update: bash needs bash-completion (or source it in ~/.bashrc), zsh needs the folder in fpath before compinit is called. For PowerShell: mcp-events completion powershell | Out-String | Invoke-Expression, in $PROFILE.";
	static override examples = [
		"mkdir -p ~/.local/share/bash-completion/completions && <%= config.bin %> <%= command.id %> bash > ~/.local/share/bash-completion/completions/mcp-events",
		"mkdir -p ~/.zfunc && <%= config.bin %> <%= command.id %> zsh > ~/.zfunc/_mcp-events",
		"mkdir -p ~/.config/fish/completions && <%= config.bin %> <%= command.id %> fish > ~/.config/fish/completions/mcp-events.fish",
		"<%= config.bin %> <%= command.id %> powershell >> profile.ps1",
	];
	static override usage = "completion bash|zsh|fish|powershell";
	static override args = {
		shell: Args.string({
			ignoreStdin: true,
			required: true,
			options: [...SHELLS],
			description: `The shell: ${SHELLS.join(", ")}.`,
		}),
	};
	static override flags = { ...talkFlags };

	async run(): Promise<number> {
		const { flags, args } = await this.parseWords(Completion);
		const { verbose, quiet } = flags;
		return this.perform({ verbose, quiet }, async (_world, output) => {
			const { completionScript } = await import(
				"../program/completion/completion.ts"
			);
			const { root, bin: program } = this.config;
			const script = await completionScript(args.shell as Shell, {
				program,
				root,
			});
			await output.bytes(Buffer.from(script));
			return 0;
		});
	}
}
