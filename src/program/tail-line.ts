// The command line that follows one event type, ready to paste: shown by describe.
import { argumentFlags, exampleArguments } from "../arguments/index.ts";
import { shellWord } from "../faults/index.ts";
import type { Descriptor } from "../protocol/index.ts";
import type { ServerAddress } from "../servers/index.ts";
import { PROGRAM } from "./program-name.ts";

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
	const child = [server.command, ...server.args].map(shellWord);
	return [PROGRAM.name, "tail", ...event, "--", ...child].join(" ");
}

/** A query may be a credential, so it is not shown again. */
function urlWord(url: URL): string {
	return url.search ? "URL" : shellWord(url.href);
}
