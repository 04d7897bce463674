// What `serve` tells of itself: the faults that it can have, and the schema of its configuration.
import { EXIT_STATUSES } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import { CONFIG_SCHEMA } from "./config-schema.ts";

/** A line of JSON for each: name, rule and its scenario, about, and the value it takes. */
export async function listFaults(
	output: Pick<Output, "lines">,
): Promise<number> {
	const { FLAWS } = await import("../../reference/index.ts");
	await output.lines(
		FLAWS.map(({ name, rule, scenario, about, value }) =>
			JSON.stringify({
				name,
				rule,
				scenario,
				about,
				...(value && {
					value: value.means,
					unit: value.unit,
					default: value.default,
				}),
			}),
		),
	);
	return EXIT_STATUSES.done.status;
}

/** One JSON document. */
export async function printConfigSchema(output: Output): Promise<number> {
	await output.lines([JSON.stringify(CONFIG_SCHEMA)]);
	return EXIT_STATUSES.done.status;
}
