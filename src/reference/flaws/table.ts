// Every flaw that there is, and what stands after --fault.
import { Fault, nearestNames, shellWord } from "../../faults/index.ts";
import { CHAOS } from "./chaos.ts";
import { CONSENT } from "./consent.ts";
import { DELIVERY } from "./delivery.ts";
import { DELIVERY_ACCESS } from "./delivery-access.ts";
import { DELIVERY_POSITIONS } from "./delivery-positions.ts";
import { DISCOVERY } from "./discovery.ts";
import type { ChosenFlaw, Flaw } from "./flaw.ts";
import { POLL } from "./poll.ts";
import { POLL_POSITIONS } from "./poll-positions.ts";
import { PUSH } from "./push.ts";
import { PUSH_ENDINGS } from "./push-endings.ts";
import { PUSH_REFUSALS } from "./push-refusals.ts";
import { WEBHOOK } from "./webhook.ts";
import { WEBHOOK_KEYS } from "./webhook-keys.ts";
import { WEBHOOK_LEASES } from "./webhook-leases.ts";

/** In the order in which they are listed. */
export const FLAWS: readonly Flaw[] = [
	...CHAOS,
	...DISCOVERY,
	...POLL,
	...POLL_POSITIONS,
	...PUSH,
	...PUSH_REFUSALS,
	...PUSH_ENDINGS,
	...WEBHOOK,
	...WEBHOOK_KEYS,
	...WEBHOOK_LEASES,
	...DELIVERY,
	...CONSENT,
	...DELIVERY_POSITIONS,
	...DELIVERY_ACCESS,
];

const UNIT_MS: Record<string, number> = {
	ms: 1,
	s: 1_000,
	m: 60_000,
	h: 3_600_000,
};
const SEE_LIST = "see them all: mcp-events serve --list-faults";

/** Reads `NAME` or `NAME=VALUE`, each at most once. Throws `wrong-use`. */
export function parseFlaws(texts: readonly string[]): ChosenFlaw[] {
	const chosen = texts.map(parseFlaw);
	const again = chosen.find(
		({ flaw }, at) => chosen.findIndex((one) => one.flaw === flaw) < at,
	);
	if (!again) return chosen;
	throw new Fault("wrong-use", {
		what: `--fault ${again.flaw.name} is given twice`,
		why: "one fault has one value",
		next: `give it once: --fault ${again.flaw.name}`,
	});
}

function parseFlaw(text: string): ChosenFlaw {
	const [name = "", ...rest] = text.split("=");
	const flaw = FLAWS.find((one) => one.name === name);
	if (!flaw) throw unknownFlaw(name);
	if (rest.length === 0) return { flaw, value: flaw.value?.default ?? 0 };
	return { flaw, value: parseValue(flaw, rest.join("=")) };
}

function unknownFlaw(name: string): Fault {
	const near = nearestNames(
		name,
		FLAWS.map((flaw) => flaw.name),
	);
	return new Fault("wrong-use", {
		what: `there is no fault ${JSON.stringify(name)} to serve with`,
		why:
			near.length > 0
				? `the nearest are ${near.join(", ")}`
				: `${FLAWS.length} are known, and none is called so`,
		next: near[0] ? `--fault ${shellWord(near[0])}` : SEE_LIST,
	});
}

function parseValue({ name, value }: Flaw, text: string): number {
	const wrong = (why: string, example: string) =>
		new Fault("wrong-use", {
			what: `--fault ${name}=${text} cannot be used`,
			why,
			next: `--fault ${name}${example}`,
		});
	if (!value) throw wrong(`${name} takes no value`, "");
	if (value.unit === "count") {
		if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
		throw wrong(`VALUE is ${value.means}, a whole number`, `=${value.default}`);
	}
	const [, digits, unit = ""] = /^(\d{1,9})(ms|s|m|h)$/.exec(text) ?? [];
	const ms = Number(digits) * (UNIT_MS[unit] ?? Number.NaN);
	if (ms > 0) return ms;
	throw wrong(
		`VALUE is ${value.means}, such as 250ms, 10s or 5m`,
		`=${value.default}ms`,
	);
}
