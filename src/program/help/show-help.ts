// Shows the help that was asked for, from the manifest alone: nothing of the framework is loaded for it.
import type { Output, Page } from "../../output/index.ts";
import { shortCommandHelp, wholeCommandHelp } from "./command-help.ts";
import { readCommands } from "./manifest.ts";
import { type ProgramWords, programHelp, topicHelp } from "./program-help.ts";
import { findSubject, type HelpRequest } from "./request.ts";

/** False where the words name no command, and nothing was shown. */
export async function showHelp(
	{ about, isWhole }: HelpRequest,
	program: ProgramWords,
	{ root, output }: { root: string; output: Output },
): Promise<boolean> {
	const commands = await readCommands(root);
	const subject = findSubject(about, commands);
	if (about.length > 0 && !subject) return false;
	const lines = (page: Page): string[] => {
		if (!subject) return programHelp(program, commands, { isWhole, page });
		if ("topic" in subject) return topicHelp(program, subject.topic, page);
		const help = isWhole ? wholeCommandHelp : shortCommandHelp;
		return help(subject.command, program.name, page);
	};
	await output.text((page) => lines(page).join("\n"));
	return true;
}
