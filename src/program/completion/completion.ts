// The completion script of each shell.
import { readCommands } from "../help/manifest.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { completedCommands } from "./model.ts";
import { powershellCompletion } from "./powershell.ts";
import type { Shell } from "./shells.ts";
import { zshCompletion } from "./zsh.ts";

const SCRIPTS = {
	bash: bashCompletion,
	zsh: zshCompletion,
	fish: fishCompletion,
	powershell: powershellCompletion,
};

/** The script that a shell reads; `root` is the folder of our package.json. */
export async function completionScript(
	shell: Shell,
	{ program, root }: { program: string; root: string },
): Promise<string> {
	const commands = completedCommands(await readCommands(root));
	return SCRIPTS[shell](program, commands);
}
