// The kinds of --output records as a manual has them: from the table that the code is tested against, each with a line
// of a real run.
import {
	RECORD_COMMON_FIELDS,
	RECORD_KINDS,
	type RecordField,
} from "../src/output/index.ts";
import { bold, literal, roff } from "./roff.ts";

/** Every kind, with its members; `examples` has a line of each. */
export function renderKinds(examples: readonly string[]): string[] {
	const byKind = new Map(
		examples.map((line) => [JSON.parse(line).kind as string, line]),
	);
	return Object.entries(RECORD_KINDS).flatMap(([kind, { meaning, fields }]) => [
		`.SS ${roff(kind)}`,
		`${roff(sentence(meaning))}`,
		...fields.flatMap(renderField),
		".PP",
		".RS 2",
		literal(foldJson(byKind.get(kind) ?? "")),
		".RE",
	]);
}

/** The members that every record has. */
export const renderCommonFields = () =>
	RECORD_COMMON_FIELDS.flatMap(renderField);

const renderField = ({ name, type, meaning, isOptional }: RecordField) => [
	".TP",
	`${bold(name)} (${roff(type)}${isOptional ? ", may be absent" : ""})`,
	// Not a sentence: it may begin with a value.
	roff(meaning),
];

const sentence = (text: string) =>
	`${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const WIDEST = 74;

/** A line of JSON over several, cut behind commas: for people. */
export function foldJson(line: string): string[] {
	const pieces = line.split(/(?<=,)(?=")/);
	const lines: string[] = [];
	for (const piece of pieces) {
		const last = lines.at(-1);
		if (last !== undefined && last.length + piece.length <= WIDEST)
			lines[lines.length - 1] = last + piece;
		else lines.push(piece);
	}
	return lines;
}
