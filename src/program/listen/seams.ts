// What the flags of `listen` join to a listener: the tunnel that it is reached through, a script of replies, and what
// its deliveries are handed to.
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type { Replies } from "../../receiver/index.ts";
import type { HandlerFlags } from "../flags/handler-flags.ts";
import type { World } from "../process/world.ts";
import type { ListenFlags, ListenSeams } from "./options.ts";
import { tunnelOf } from "./tunnel-words.ts";

/** So many deliveries are told of one by one. */
const TOLD = 100;

/** Makes what the flags ask for; `tellEnd` says at the end what came of it. Throws `wrong-use`. */
export async function openListenSeams(
	flags: HandlerFlags & ListenFlags,
	{ world, output }: { world: World; output: Output },
): Promise<{ seams: ListenSeams; tellEnd: () => void }> {
	const { tunnel, reply, port } = flags;
	const { openListenHandlers } = await import("./handlers.ts");
	const handlers = await openListenHandlers(flags, { world, output });
	const seams: ListenSeams = { handlers };
	let tellEnd = () => handlers?.close();
	if (tunnel !== undefined) {
		await refuseUnfitCommand(tunnel, port);
		seams.openAddress = async (openedPort) => {
			const { openPublicAddress } = await import("../flags/public-address.ts");
			return openPublicAddress(tunnel, openedPort, { world, output });
		};
	}
	if (reply !== undefined) {
		const { openReplies, parseReplyScript, tellAttempts } = await import(
			"../../receiver/index.ts"
		);
		const replies = openReplies(parseReplyScript(reply), world);
		seams.replies = replies;
		tellEnd = () => {
			handlers?.close();
			tellReplies(replies, tellAttempts, output);
		};
	}
	return { seams, tellEnd };
}

/** Before anything is opened for it. */
async function refuseUnfitCommand(flag: string, port: number): Promise<void> {
	const via = tunnelOf(flag);
	if (via.kind !== "command") return;
	const { parseTunnelCommand } = await import("../../tunnel/index.ts");
	parseTunnelCommand(via.template, port);
	if (port === 0 && !flag.includes("{port}"))
		throw new Fault("wrong-use", {
			what: "the command of --tunnel does not say where the tunnel leads",
			why: "{port} in it stands for the port of the receiver, which is a free one unless --port is given",
			next: "--tunnel 'ngrok http {port}'",
		});
}

function tellReplies(
	replies: Replies,
	tell: typeof import("../../receiver/index.ts").tellAttempts,
	output: Output,
): void {
	const reports = replies.report();
	if (reports.length === 0) output.say("--reply: no delivery came");
	for (const report of reports.slice(0, TOLD)) output.say(tell(report));
	const more = reports.length - TOLD;
	if (more > 0) output.say(`and ${more} more deliveries`);
}
