// Finds what a `$ref` means inside one schema document: by pointer, anchor or id. Nothing is ever fetched.
import { isRecord } from "../protocol/index.ts";
import { subschemas } from "./schema-keywords.ts";
import { NODE_LIMIT } from "./schema-limits.ts";

export type SchemaObject = Record<string, unknown>;

/** The base of a document without an `$id`; only relative references are ever resolved against it. */
const HOME = "schema://local/";

/** One schema document with the places that references can lead to. */
export interface SchemaIndex {
	readonly root: unknown;
	/** The schema that `reference` means where `from` holds it; undefined where it leads to none inside the document. */
	resolve(from: SchemaObject, reference: string): unknown;
	/** How many schemas bear this `$dynamicAnchor`. */
	dynamicAnchors(name: string): number;
}

interface Places {
	bases: Map<SchemaObject, string>;
	resources: Map<string, unknown>;
	anchors: Map<string, SchemaObject>;
	dynamic: Map<string, number>;
}

/** Reads where ids and anchors stand. Tolerant: what is malformed is no place. */
export function indexSchema(root: unknown): SchemaIndex {
	const places: Places = {
		bases: new Map(),
		resources: new Map([[HOME, root]]),
		anchors: new Map(),
		dynamic: new Map(),
	};
	notePlaces(places, root, HOME);
	return {
		root,
		dynamicAnchors: (name) => places.dynamic.get(name) ?? 0,
		resolve: (from, reference) => resolve(places, from, reference),
	};
}

function notePlaces(places: Places, start: unknown, startBase: string): void {
	const waiting: Array<[unknown, string]> = [[start, startBase]];
	for (let next = waiting.pop(); next; next = waiting.pop()) {
		const [schema, outerBase] = next;
		if (!isRecord(schema) || places.bases.has(schema)) continue;
		if (places.bases.size >= NODE_LIMIT) return;
		const base = noteNames(places, schema, outerBase);
		places.bases.set(schema, base);
		for (const [, value] of subschemas(schema)) waiting.push([value, base]);
	}
}

function noteNames(places: Places, schema: SchemaObject, outer: string) {
	let base = outer;
	const { $id, $anchor, $dynamicAnchor } = schema;
	if (typeof $id === "string") {
		// Draft-07 writes an anchor as an id that is nothing but a fragment.
		if ($id.startsWith("#")) places.anchors.set(`${outer}${$id}`, schema);
		else {
			base = absolute($id.split("#", 1)[0] ?? "", outer) ?? outer;
			if (base !== outer) places.resources.set(base, schema);
		}
	}
	if (typeof $anchor === "string")
		places.anchors.set(`${base}#${$anchor}`, schema);
	if (typeof $dynamicAnchor === "string") {
		places.anchors.set(`${base}#${$dynamicAnchor}`, schema);
		const count = places.dynamic.get($dynamicAnchor) ?? 0;
		places.dynamic.set($dynamicAnchor, count + 1);
	}
	return base;
}

function resolve(places: Places, from: SchemaObject, reference: string) {
	const base = places.bases.get(from) ?? HOME;
	const hash = reference.indexOf("#");
	const address = hash === -1 ? reference : reference.slice(0, hash);
	const fragment = hash === -1 ? "" : decode(reference.slice(hash + 1));
	const document = address === "" ? base : absolute(address, base);
	if (document === undefined || fragment === undefined) return undefined;
	const resource = places.resources.get(document);
	const target = fragment.startsWith("/")
		? atPointer(resource, fragment)
		: fragment === ""
			? resource
			: places.anchors.get(`${document}#${fragment}`);
	// A pointer may lead to where no keyword does (`#/components/…`): its own ids and base are noted only now.
	notePlaces(places, target, document);
	return isRecord(target) || typeof target === "boolean" ? target : undefined;
}

function atPointer(root: unknown, pointer: string): unknown {
	let value = root;
	for (const token of pointer.slice(1).split("/")) {
		const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
		if (typeof value !== "object" || value === null) return undefined;
		if (!Object.hasOwn(value, key)) return undefined;
		value = (value as SchemaObject)[key];
	}
	return value;
}

function absolute(address: string, base: string): string | undefined {
	try {
		return new URL(address, base).href;
	} catch {
		return undefined;
	}
}

function decode(fragment: string): string | undefined {
	try {
		return decodeURIComponent(fragment);
	} catch {
		return undefined;
	}
}
