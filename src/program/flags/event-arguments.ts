// The arguments of one EVENT from its words: --args first, -a on top, typed and checked by its inputSchema.
import type { Descriptor } from "../../protocol/index.ts";
import type { World } from "../process/world.ts";
import { readTextValue } from "./files.ts";
import type { EventWords } from "./words.ts";

/** Throws `wrong-use` or `arguments-invalid`. Nothing is loaded for an event without words and without a schema. */
export async function readArguments(
	words: EventWords,
	schema: Descriptor["inputSchema"],
	options: { validate: boolean; world: World },
): Promise<Record<string, unknown>> {
	const {
		mergeArguments,
		parseArguments,
		parseArgumentsJson,
		validateArguments,
	} = await import("../../arguments/index.ts");
	let value: Record<string, unknown> = {};
	for (const text of words.json) {
		const json = await readTextValue(text, "--args", options.world);
		value = mergeArguments(value, parseArgumentsJson(json, "--args"));
	}
	const pairs = parseArguments(words.pairs, schema, {
		isLenient: !options.validate,
	});
	value = mergeArguments(value, pairs);
	if (options.validate) await validateArguments(value, schema);
	return value;
}
