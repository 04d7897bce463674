// What the commands about webhook subscriptions share: the session, the callback, the records that fit.
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import type { Session } from "../../session/index.ts";
import { isRecordOf, type Registry } from "../../state/index.ts";
import { labelSubscriptions, type Subscription } from "../../tail/index.ts";
import { type ConnectionFlags, connect } from "../connect/connect.ts";
import type { World } from "../process/world.ts";

interface Pieces {
	world: World;
	output: Output;
}

/** The records of an event with its arguments that are the asker's and have not ended. */
export async function ours(
	registry: Registry,
	asker: { server: string; principal: string },
	{ name, arguments: args }: Subscription,
) {
	const listed = await registry.list();
	const labelOf = (event: string, given: Record<string, unknown>) =>
		labelSubscriptions([{ name: event, arguments: given }])[0]?.label;
	return listed
		.map(({ record }) => record)
		.filter(
			(record) =>
				record.endedAt === undefined &&
				isRecordOf(record, asker) &&
				labelOf(record.event, record.arguments) === labelOf(name, args),
		);
}

/** Opens a session to a server that offers Events. Whoever asked closes it. */
export async function openEvents(
	server: ServerAddress,
	flags: ConnectionFlags,
	pieces: Pieces,
): Promise<Session> {
	const session = await connect(server, flags, pieces);
	try {
		const { requireEvents } = await import("../../session/index.ts");
		requireEvents(session, flags.force);
		return session;
	} catch (error) {
		await session.close();
		throw error;
	}
}

/** The callback that --to names; throws `wrong-use`. */
export function parseCallback(text: string): string {
	if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
		return new URL(text).href;
	throw new Fault("wrong-use", {
		what: `--to ${JSON.stringify(text)} is not an http or https URL`,
		next: "--to https://HOST/PATH",
	});
}
