// Which events may be had by webhook, and whether a server will take our callback for them.
import { Fault, shellWord } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type { Descriptor } from "../../protocol/index.ts";
import { type Session, whyCallbackUnfit } from "../../session/index.ts";
import { labelSubscriptions, type Subscription } from "../../tail/index.ts";
import { readArguments } from "../flags/event-arguments.ts";
import type { EventWords } from "../flags/words.ts";
import type { World } from "../process/world.ts";

/** Finds the events and checks their arguments. Throws `event-unknown`, `mode-not-offered` or `arguments-invalid`. */
export async function resolveWebhookEvents(
	session: Session,
	events: readonly EventWords[],
	{
		validate,
		world,
		output,
	}: {
		validate: boolean;
		world: World;
		output: Output;
	},
): Promise<Subscription[]> {
	const { findEventTypes } = await import("../../session/index.ts");
	const types = await findEventTypes(
		session,
		events.map((event) => event.name),
		{ signal: world.stop, odd: (what) => output.note(what) },
	);
	const wanted: Omit<Subscription, "label">[] = [];
	for (const [at, type] of types.entries()) {
		requireWebhook(type);
		const words = events[at] as EventWords;
		const args = await readArguments(words, type.inputSchema, {
			validate,
			world,
		});
		wanted.push({ name: type.name, arguments: args });
	}
	return labelSubscriptions(wanted);
}

function requireWebhook({ name, delivery }: Descriptor): void {
	if (delivery.includes("webhook")) return;
	const offered =
		delivery.length === 0 ? "no mode that we know" : delivery.join(" and ");
	throw new Fault("mode-not-offered", {
		what: `cannot receive ${name} by webhook: the server offers ${offered} for it`,
		why: `events/list reports delivery [${delivery.join(", ")}]`,
		next: `mcp-events tail SERVER ${shellWord(name)}`,
	});
}

/** Says before the server does that it has to refuse this callback, and what may be done about it. */
export function warnOfCallback(url: string, output: Output): void {
	const unfit = whyCallbackUnfit(url);
	if (unfit === undefined) return;
	const { origin, protocol } = new URL(url);
	const local =
		protocol === "http:"
			? "; for a server on this machine: --tls self-signed, or --tls-cert and --tls-key"
			: "";
	output.warn(
		`a server that keeps to the rules refuses the callback at ${origin}: ${unfit}; ways out: --tunnel, or --public-url URL of an https address that leads here${local}`,
	);
}
