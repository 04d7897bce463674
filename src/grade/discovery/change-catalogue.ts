// Alters an event type by the control, looks at what came of it, and puts it back whatever happens.
import type { GradeContext } from "../context.ts";
import { type Finding, untestable } from "../finding.ts";
import type { EventType } from "../traffic/list-types.ts";
import { spareType } from "../traffic/subject.ts";

/** `look` is called once a type was altered. Where the control fails, that is the finding. */
export async function changeCatalogue(
	{ controls, listing }: GradeContext,
	look: (type: EventType) => Promise<Finding>,
): Promise<Finding> {
	const type = spareType(listing);
	if (!type)
		return untestable(
			{ kind: "traffic", name: "an event type in the catalogue" },
			"there is none that could be changed",
		);
	const { name } = type;
	const changed = await controls.call("catalog", { action: "alter", name });
	if (changed.kind === "failed") return changed.finding;
	try {
		return await look(type);
	} finally {
		await controls.call("catalog", { action: "restore", name });
	}
}
