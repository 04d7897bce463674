// Which way the events of a type travel to us (events.md 8).
import { Fault, shellWord } from "../faults/index.ts";
import { type Descriptor, METHODS } from "../protocol/index.ts";
import type { Mode } from "./follow.ts";

export interface ModeWishes {
	/** What the user asked for; undefined: the best on offer. */
	via?: Mode | undefined;
	transport: "http" | "stdio";
	/** Whether webhooks can be received. */
	canReceive?: boolean | undefined;
}

/** Best first. Both transports carry all. */
const PREFERENCE = ["webhook", "push", "poll"] as const;

const preferred = (canReceive = false): readonly Mode[] =>
	PREFERENCE.slice(canReceive ? 0 : 1);

/** The modes of a type that we have too, best first. */
export function commonModes(
	delivery: Descriptor["delivery"],
	canReceive = false,
): Mode[] {
	return preferred(canReceive).filter((mode) => delivery.includes(mode));
}

/**
 * The mode to use, all that will do, best first (undefined: that one alone), and the reason in words. Throws
 * `mode-not-offered` where the two sides have none in common.
 */
export function chooseMode(
	descriptor: Pick<Descriptor, "name" | "delivery">,
	{ via, transport, canReceive }: ModeWishes,
): { via: Mode; modes: Mode[] | undefined; why: string } {
	const { name, delivery } = descriptor;
	const offered = delivery.join(" and ");
	const wanted = via ? [via] : preferred(canReceive);
	const chosen = wanted.find((mode) => delivery.includes(mode));
	if (!chosen) throw noneInCommon(name, delivery, wanted);
	if (via) return { via, modes: undefined, why: "as asked" };
	const reasons: Record<Mode, string> = {
		webhook: `the server offers ${offered}, and webhooks can be received`,
		push: `the server offers ${offered}, and ${transport} can stream`,
		poll: `the server offers ${offered} and no push`,
	};
	const modes = commonModes(delivery, canReceive);
	return { via: chosen, modes, why: reasons[chosen] };
}

function noneInCommon(
	name: string,
	delivery: Descriptor["delivery"],
	wanted: readonly string[],
): Fault {
	const [usable] = commonModes(delivery);
	const word = shellWord(name);
	const offer =
		delivery.length === 0
			? "the server names no delivery mode that we know"
			: `the server offers only ${delivery.join(" and ")} for it`;
	return new Fault("mode-not-offered", {
		what: `cannot tail ${name} by ${wanted.join(" or ")}: ${offer}`,
		why: `${METHODS.list} reports delivery [${delivery.join(", ")}]`,
		next: usable
			? `mcp-events tail SERVER ${word} --via ${usable}`
			: "find a type that offers push or poll: mcp-events list SERVER",
	});
}
