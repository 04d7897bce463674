// The base of every command: words in, exit status out. It cuts off the server command after `--`, opens the output,
// and maps what was thrown to a status; it does no work of its own.
import { Command, type Interfaces } from "@oclif/core";
import type { Output } from "../../output/index.ts";
import type { Mode } from "../../tail/index.ts";
import { splitAtDashes, type WordToken } from "../flags/words.ts";
import { type FollowWords, followOptions } from "../follow/words.ts";
import { type DisplayOptions, performOn } from "./display.ts";
import { processWorld } from "./process-world.ts";
import type { World } from "./world.ts";

type Words<F extends Interfaces.OutputFlags<Interfaces.FlagInput>, A> = {
	flags: F;
	args: A;
	/** The command after `--`; undefined where no `--` stood. */
	child: string[] | undefined;
	/** What was typed, in order: positionals and flags. */
	raw: WordToken[];
};

type DisplayFlags = {
	output?: DisplayOptions["form"];
	verbose: boolean;
	quiet: boolean;
};

export abstract class EventsCommand extends Command {
	/** The flags that the short help shows, in its order. */
	static mostUsed: readonly string[] = [];

	/** Parses the words before the first `--`; oclif scrambles what follows it when flags stand there too. */
	protected async parseWords<
		F extends Interfaces.OutputFlags<Interfaces.FlagInput>,
		B extends Interfaces.OutputFlags<Interfaces.FlagInput>,
		A extends Interfaces.OutputArgs<Interfaces.ArgInput>,
	>(type: Interfaces.Input<F, B, A>): Promise<Words<F & B, A>> {
		const { own, child } = splitAtDashes(this.argv);
		const { flags, args, raw } = await this.parse(type, own);
		return { flags, args, child, raw };
	}

	/** Follows what the words name (poll, stream, tail); returns the exit status. */
	protected follow(
		words: FollowWords & { flags: DisplayFlags },
		limits: { via: Mode | undefined; most: number },
	): Promise<number> {
		const { output: form, verbose, quiet } = words.flags;
		return this.perform({ form, verbose, quiet }, async (world, output) => {
			const options = followOptions(words, limits);
			const { follow } = await import("../follow/follow.ts");
			return follow(options, world, output);
		});
	}

	/** Does the work with the output open, and returns the exit status whatever happens. */
	protected perform(
		display: DisplayOptions,
		work: (world: World, output: Output) => Promise<number>,
	): Promise<number> {
		return performOn(processWorld(), display, work);
	}
}
