// secret: makes a signing secret.

import { talkFlags } from "../program/flags/flags.ts";
import { EventsCommand } from "../program/process/command.ts";

export default class MakeSecret extends EventsCommand {
	static override summary = "Make a secret for signing webhooks.";
	static override description =
		"Prints whsec_ and the base64 of 32 random bytes on stdout, and nothing else. It is kept nowhere: write it into a file that you alone can read.";
	static override examples = [
		"(umask 077; <%= config.bin %> <%= command.id %> > hook.secret)",
		"<%= config.bin %> <%= command.id %> | tee hook.secret | <%= config.bin %> listen --port 8787 --path /in --secret-file /dev/stdin",
	];
	static override flags = { ...talkFlags };

	async run(): Promise<number> {
		const { flags } = await this.parseWords(MakeSecret);
		const { verbose, quiet } = flags;
		return this.perform({ verbose, quiet }, async (_world, output) => {
			const { randomBytes } = await import("node:crypto");
			const { newSecret } = await import("../signing/index.ts");
			await output.text(newSecret(randomBytes).reveal());
			return 0;
		});
	}
}
