// Arguments that a schema refuses, made from ones that it takes: each breaks it in one place (checks.yaml, poll-invalid-arguments).
import { findProblems } from "../../arguments/index.ts";
import { Fault } from "../../faults/index.ts";
import { isRecord } from "../../protocol/index.ts";
import type { EventType } from "../traffic/list-types.ts";
import type { Subject } from "../traffic/subject.ts";

type Taking = Pick<Subject, "arguments"> & {
	type: Pick<EventType, "inputSchema">;
};

export interface WrongArguments {
	/** What is wrong with them. */
	told: string;
	value: Record<string, unknown>;
}

const MOST = 5;

/** At most a few, of different kinds; none where the schema takes everything that was made up. */
export async function makeWrongArguments(
	subject: Taking,
): Promise<WrongArguments[]> {
	const { inputSchema } = subject.type;
	const wrong: WrongArguments[] = [];
	for (const candidate of candidatesOf(subject)) {
		if (wrong.length === MOST) break;
		const text = JSON.stringify(candidate.value);
		const isKnown = wrong.some(({ value }) => JSON.stringify(value) === text);
		if (!isKnown && (await isRefused(candidate.value, inputSchema)))
			wrong.push(candidate);
	}
	return wrong;
}

async function isRefused(value: unknown, schema: unknown): Promise<boolean> {
	try {
		return (await findProblems(value, schema)).length > 0;
	} catch (fault) {
		if (fault instanceof Fault) return false;
		throw fault;
	}
}

function candidatesOf({ type, arguments: good }: Taking): WrongArguments[] {
	const schema = isRecord(type.inputSchema) ? type.inputSchema : {};
	const properties = Object.entries(
		isRecord(schema.properties) ? schema.properties : {},
	).filter((entry): entry is [string, Record<string, unknown>] =>
		isRecord(entry[1]),
	);
	const instead = (name: string, value: unknown, told: string) => ({
		told: `${name} ${told}`,
		value: { ...good, [name]: value },
	});
	const scalar = properties.filter(([, { type }]) => typeof type === "string");
	const [typed] = scalar;
	const listed = properties.find(([, node]) => Array.isArray(node.enum));
	const lists = scalar.find(([, node]) => node.type === "array");
	const [required] = Object.keys(good);
	return [
		...(typed
			? [instead(typed[0], wrongFor(typed[1].type), "is of another type")]
			: []),
		...(lists
			? [instead(lists[0], "no list", "is a text in place of a list")]
			: []),
		...(listed ? [instead(listed[0], NOWHERE, "is none of its enum")] : []),
		...(required === undefined
			? [{ told: "what is required is missing", value: {} }]
			: [{ told: `${required} is missing`, value: without(good, required) }]),
		instead(NOWHERE, true, "is a property that the schema does not allow"),
		...properties.map(([name, node]) =>
			instead(name, wrongFor(node.type), "is of another type"),
		),
	];
}

const NOWHERE = "conformance-nowhere";

/** A value of another JSON type. */
const wrongFor = (type: unknown) =>
	type === "string" ? 7 : type === "array" ? "no list" : ["no", "scalar"];

function without(
	value: Record<string, unknown>,
	name: string,
): Record<string, unknown> {
	const { [name]: _left, ...rest } = value;
	return rest;
}
