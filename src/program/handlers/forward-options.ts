// How deliveries are forwarded, as flags say, and the warnings that this calls for.
import type { Output } from "../../output/index.ts";
import { parseHeader } from "../connect/connect.ts";
import { readTextFile } from "../flags/files.ts";
import type { HandlerFlags } from "../flags/handler-flags.ts";
import type { ListenFlags } from "../listen/options.ts";
import type { ForwardOptions, ForwardTarget } from "./forward.ts";

/** Throws `wrong-use` for an unusable header or certificate file. */
export async function readForwardOptions(
	flags: HandlerFlags & ListenFlags,
	targets: readonly ForwardTarget[],
	output: Output,
): Promise<ForwardOptions> {
	const { ca, insecure } = flags;
	if (flags["forward-unverified"])
		output.warn(
			"--forward-unverified: what anybody sends to the path is forwarded, whoever made it; the target must check signatures itself",
		);
	if (insecure && targets.some(({ url }) => url.protocol === "https:"))
		output.warn("--insecure: the certificates of --forward-to are not checked");
	return {
		ca: ca === undefined ? undefined : await readTextFile(ca, "--ca"),
		insecure,
		timeoutMs: flags.timeout,
		connectTimeoutMs: flags["connect-timeout"],
		addedHeaders: (flags["forward-header"] ?? []).map((text) =>
			parseHeader(text, "--forward-header"),
		),
		isRelayed: flags["relay-status"],
	};
}
