// The command line that follows one event type, ready to paste: shown by describe.
import { argumentFlags, exampleArguments } from "../../arguments/index.ts";
import { shellWord } from "../../faults/index.ts";
import type { Descriptor } from "../../protocol/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import { PROGRAM } from "../process/program-name.ts";

/** With example values for the required arguments; without them where the schema gives none away. */
export function tailLine(
	server: ServerAddress,
	descriptor: Descriptor,
): string {
	const args = exampleArguments(descriptor.inputSchema) ?? {};
	const event = [
		shellWord(descriptor.name),
		...argumentFlags(args, descriptor.inputSchema),
	];
	if (server.kind === "http")
		return [PROGRAM.name, "tail", urlWord(server.url), ...event].join(" ");
	return [PROGRAM.name, "tail", ...event, "--", commandWords(server)].join(" ");
}

/** A query may be a credential, so it is not shown again. */
function urlWord(url: URL): string {
	return url.search ? "URL" : shellWord(url.href);
}

/** What follows a flag or stands in an assignment may be a secret; then the command is left for the user to fill in. */
function commandWords({ command, args }: ServerAddress & { kind: "stdio" }) {
	const mayHoldSecret = args.some((arg) =>
		/=|token|secret|key|password|auth/i.test(arg),
	);
	return mayHoldSecret
		? "COMMAND"
		: [command, ...args].map(shellWord).join(" ");
}
