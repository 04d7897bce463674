// The event types that the server offers, by name and by page. It may change while the server runs; a place in the list
// is a number that a type keeps for good, so that no page skips or repeats what stood there all along.
import { Fault } from "../../faults/index.ts";
import { invalidParams } from "../refusal.ts";
import type { Source, SourceType, TypeDescriptor } from "../source.ts";
import { createWakers } from "../wakers.ts";

export interface Catalogue {
	find(name: string): SourceType | undefined;
	/** The page after a paging cursor; InvalidParams for one that is not ours. */
	page(cursor: unknown): { events: TypeDescriptor[]; nextCursor?: string };
	/** Puts a type in, where one of its name stood if there was one, else at the end; tells of it. */
	put(type: SourceType): void;
	/** Takes a type out and tells of it; false where it is not there. */
	remove(name: string): boolean;
	/** Begins again with the types of these sources, and tells of it. */
	reset(sources: readonly Source[]): void;
	/** Calls back after each change; returns the way to stop it. */
	onChanged(tell: () => void): () => void;
}

export interface CatalogueOptions {
	pageSize: number;
	/** A type as this server offers it; undefined where it can be had in no mode. */
	offer(type: SourceType): SourceType | undefined;
}

const PAGE_CURSOR = /^page-(\d{1,6})$/;

/** Throws `wrong-use` where two sources offer one name. */
export function createCatalogue(
	sources: readonly Source[],
	{ pageSize, offer }: CatalogueOptions,
): Catalogue {
	const places = new Map<string, number>();
	const types = new Map<string, SourceType>();
	const changes = createWakers();

	function place(type: SourceType) {
		const { name } = type.descriptor;
		const offered = offer(type);
		if (!offered) return;
		if (!places.has(name)) places.set(name, places.size + 1);
		types.set(name, offered);
	}

	function begin(all: readonly Source[]) {
		for (const type of all.flatMap((source) => source.types)) {
			refuseTwice(type, types);
			place(type);
		}
	}

	const placeOf = (type: SourceType) => places.get(type.descriptor.name) ?? 0;

	begin(sources);
	return {
		find: (name) => types.get(name),
		page(cursor) {
			const start = readPlace(cursor, places.size);
			const rest = [...types.values()]
				.filter((type) => placeOf(type) > start)
				.sort((left, right) => placeOf(left) - placeOf(right));
			const page = rest.slice(0, pageSize);
			const events = page.map((type) => type.descriptor);
			const last = page.at(-1);
			if (!last || rest.length <= pageSize) return { events };
			return { events, nextCursor: `page-${placeOf(last)}` };
		},
		put(type) {
			place(type);
			changes.wakeAll();
		},
		remove(name) {
			const wasThere = types.delete(name);
			if (wasThere) changes.wakeAll();
			return wasThere;
		},
		reset(all) {
			types.clear();
			begin(all);
			changes.wakeAll();
		},
		onChanged: (tell) => changes.add(tell),
	};
}

function refuseTwice(
	{ descriptor: { name } }: SourceType,
	types: ReadonlyMap<string, SourceType>,
): void {
	if (types.has(name))
		throw new Fault("wrong-use", {
			what: `two sources offer the event type ${name}`,
			why: "a client asks for a type by its name alone",
			next: "give one of them another name, or a prefix, or leave it out",
		});
}

/** The place of the last type that the client has; 0 for none. */
function readPlace(cursor: unknown, placeCount: number): number {
	if (cursor === undefined || cursor === null) return 0;
	const place =
		typeof cursor === "string" ? PAGE_CURSOR.exec(cursor)?.[1] : undefined;
	if (place === undefined || Number(place) > placeCount)
		throw invalidParams("cursor is no paging cursor of events/list");
	return Number(place);
}
