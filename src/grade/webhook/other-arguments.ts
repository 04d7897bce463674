// Other arguments than those that were derived, which the schema allows as well: for rules about what tells two
// subscriptions apart.
import { exampleArguments, findProblems } from "../../arguments/index.ts";
import { canonicalJson, isRecord } from "../../protocol/index.ts";
import type { Subject } from "../traffic/subject.ts";

type Arguments = Record<string, unknown>;

const MOST_TRIED = 24;

/** Those with the most members first; each differs from the subject's own. */
export async function otherArguments(subject: {
	arguments: Arguments;
	type: Pick<Subject["type"], "inputSchema">;
}): Promise<Arguments[]> {
	const { inputSchema } = subject.type;
	if (!isRecord(inputSchema)) return [];
	const known = new Set([canonicalJson(subject.arguments)]);
	const found: Arguments[] = [];
	for (const candidate of candidatesOf(inputSchema, subject.arguments)) {
		const text = canonicalJson(candidate);
		if (known.has(text)) continue;
		known.add(text);
		if (await isAllowed(candidate, inputSchema)) found.push(candidate);
	}
	const open = { ...subject.arguments, [UNNAMED]: true };
	if (found.length === 0 && (await isAllowed(open, inputSchema))) return [open];
	return found.sort(
		(left, right) => Object.keys(right).length - Object.keys(left).length,
	);
}

/** A property that no schema names: most schemas allow it. */
const UNNAMED = "conformance-other";

/** A schema that cannot be checked allows nothing that could be relied on. */
const isAllowed = async (args: Arguments, schema: Arguments) =>
	(await findProblems(args, schema).catch(() => ["unknown"])).length === 0;

function candidatesOf(schema: Arguments, own: Arguments): Arguments[] {
	const { examples, properties } = schema;
	const given = Array.isArray(examples) ? examples.filter(isRecord) : [];
	const optional = isRecord(properties) ? Object.keys(properties) : [];
	const made = optional
		.filter((name) => !(name in own))
		.flatMap((name) => {
			const asked = Array.isArray(schema.required) ? schema.required : [];
			const example = exampleOf({ ...schema, required: [...asked, name] });
			return example && name in example
				? [{ ...own, [name]: example[name] }]
				: [];
		});
	const all = Object.assign({}, own, ...made);
	return [...given, all, ...made].slice(0, MOST_TRIED);
}

function exampleOf(schema: Arguments): Arguments | undefined {
	try {
		return exampleArguments(schema);
	} catch {
		// No value can be made up for it.
		return undefined;
	}
}

/** The same arguments, their members in the opposite order; undefined where there are not two. */
export function reordered(args: Arguments): Arguments | undefined {
	const entries = Object.entries(args);
	if (entries.length < 2) return undefined;
	return Object.fromEntries(entries.reverse());
}
