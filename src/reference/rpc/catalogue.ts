// The event types that the server offers, by name and by page.
import { Fault } from "../../faults/index.ts";
import { invalidParams } from "../refusal.ts";
import type { Source, SourceType, TypeDescriptor } from "../source.ts";

export interface Catalogue {
	find(name: string): SourceType | undefined;
	/** The page after a paging cursor; InvalidParams for one that is not ours. */
	page(cursor: unknown): { events: TypeDescriptor[]; nextCursor?: string };
}

const PAGE_CURSOR = /^page-(\d{1,6})$/;

/** Throws `wrong-use` where two sources offer one name. */
export function createCatalogue(
	sources: readonly Source[],
	pageSize: number,
): Catalogue {
	const types = new Map<string, SourceType>();
	for (const type of sources.flatMap((source) => source.types)) {
		const { name } = type.descriptor;
		if (types.has(name))
			throw new Fault("wrong-use", {
				what: `two sources offer the event type ${name}`,
				why: "a client asks for a type by its name alone",
				next: "give one of them another name, or leave it out",
			});
		types.set(name, type);
	}
	const descriptors = [...types.values()].map((type) => type.descriptor);
	return {
		find: (name) => types.get(name),
		page(cursor) {
			const start = readPageStart(cursor, descriptors.length);
			const end = start + pageSize;
			const events = descriptors.slice(start, end);
			if (end >= descriptors.length) return { events };
			return { events, nextCursor: `page-${end}` };
		},
	};
}

function readPageStart(cursor: unknown, count: number): number {
	if (cursor === undefined || cursor === null) return 0;
	const start =
		typeof cursor === "string" ? PAGE_CURSOR.exec(cursor)?.[1] : undefined;
	if (start === undefined || Number(start) >= count)
		throw invalidParams("cursor is no paging cursor of events/list");
	return Number(start);
}
