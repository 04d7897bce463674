// What a subscription is called in records: short where it can be, unique always.
import { canonicalJson } from "../protocol/index.ts";
import type { Subscription } from "./item.ts";

/** Gives each its label: the name, then the arguments as canonical JSON where there are any; a repetition is numbered. */
export function labelSubscriptions(
	subscriptions: readonly Omit<Subscription, "label">[],
): Subscription[] {
	const taken = new Set<string>();
	return subscriptions.map(({ name, arguments: args }) => {
		const hasArguments = Object.keys(args).length > 0;
		const plain = hasArguments ? `${name} ${canonicalJson(args)}` : name;
		let label = plain;
		for (let n = 2; taken.has(label); n++) label = `${plain} #${n}`;
		taken.add(label);
		return { label, name, arguments: args };
	});
}
