// From a descriptor to what `list` and `describe` show of it.
import { explainSchema } from "../../arguments/index.ts";
import type { CatalogueEntry } from "../../output/index.ts";
import type { Descriptor } from "../../protocol/index.ts";

export function catalogueEntry(descriptor: Descriptor): CatalogueEntry {
	const { name, title, description, delivery, inputSchema } = descriptor;
	return {
		name,
		title,
		description,
		delivery,
		arguments: explainSchema(inputSchema).rows,
		unusable: whyUnusable(descriptor),
	};
}

function whyUnusable({ delivery }: Descriptor): string | undefined {
	if (delivery.includes("poll") || delivery.includes("push")) return undefined;
	return delivery.length === 0
		? "it names no delivery mode"
		: "it comes by webhook only, and poll, stream and tail do not receive webhooks";
}
