// What the server declares of itself (events.md 1, Capability).
import {
	EXTENSION_ID,
	excerpt,
	isRecord,
	METHODS,
} from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import {
	broken,
	type Finding,
	holds,
	skipped,
	untestable,
} from "../finding.ts";
import { isListed } from "../ground.ts";
import { type Check, checkRow } from "../scenario.ts";
import { type Answer, errorOf, resultOf, tellAnswer } from "../wire/answer.ts";

const PLACES = {
	final: `capabilities.extensions["${EXTENSION_ID}"]`,
	chatgpt: "capabilities.events",
	sketch: "capabilities.events",
} as const;

export const capabilityChecks = [
	declaredRow("capability-events-object", async (context) => {
		const { declared, listing, profile, shaken } = context;
		const place = PLACES[profile];
		const value = profile === "final" ? declared.inMap : declared.onTop;
		if (isRecord(value))
			return holds(`${place} is ${excerpt(value, 120)}`, shaken.answer);
		if (value !== undefined)
			return broken(
				`${place} is ${excerpt(value, 120)}, no settings object`,
				shaken.answer,
			);
		if (declared.isDeclared)
			return broken(
				`nothing stands at ${place}; the capability stands in another place alone`,
				shaken.answer,
			);
		if (isListed(listing))
			return broken(
				"nothing is declared, yet events/list answers: clients that read capabilities never find it",
				shaken.answer,
				listing.pages[0],
			);
		return skipped("nothing is declared, and events/list does not answer");
	}),

	declaredRow("capability-list-changed-flag", async ({ declared, shaken }) => {
		const { value } = declared;
		if (!isRecord(value) || !("listChanged" in value))
			return skipped("the settings have no listChanged");
		const told = `listChanged is ${excerpt(value.listChanged, 80)}`;
		return typeof value.listChanged === "boolean"
			? holds(told, shaken.answer)
			: broken(`${told}, no boolean`, shaken.answer);
	}),

	declaredRow("capability-empty-settings", async (context) => {
		const { declared, listing, shaken } = context;
		const { value } = declared;
		if (!isRecord(value) || Object.keys(value).length > 0)
			return skipped("the declared settings are not empty");
		if (isListed(listing))
			return holds(
				"the settings are {}, and events/list serves the catalogue",
				shaken.answer,
				listing.pages[0],
			);
		if (isDeclaredInVain(context))
			return broken(
				"the settings are {}, and events/list is a method that the server does not know",
				shaken.answer,
				listing.pages[0],
			);
		return noListing(context);
	}),

	checkRow("capability-client-declaration", async (context) => {
		const { listing, wire } = context;
		const [first] = listing.pages;
		if (wire.era === "legacy")
			return skipped("in the initialize era requests declare nothing");
		if (!isListed(listing)) return noListing(context);
		const bare = await wire.ask(METHODS.list, {}, { meta: BARE_META });
		const isSame =
			JSON.stringify(resultOf(bare)?.events) ===
			JSON.stringify(resultOf(first)?.events);
		return isSame
			? holds("the same catalogue came with and without the declaration", bare)
			: broken(
					`without the declaration events/list gives ${tellAnswer(bare)}`,
					first,
					bare,
				);
	}),

	declaredRow("fallback-method-not-found", async (context) => {
		const { declared, listing } = context;
		if (declared.isDeclared) return skipped("the extension is declared");
		if (isListed(listing)) return skipped("events/list gave a catalogue");
		const answers = [listing.pages[0], ...(await askOthers(context))];
		const wrong = answers.find(
			(answer) => errorOf(answer)?.name !== "MethodNotFound",
		);
		return wrong
			? broken(
					`nothing is declared, and ${wrong.method} is answered with ${tellAnswer(wrong)}`,
					wrong,
				)
			: holds("every events/* request is answered with -32601", ...answers);
	}),
];

/** What a request must carry, and no word of the extension. */
const BARE_META = {
	"io.modelcontextprotocol/protocolVersion": "2026-07-28",
	"io.modelcontextprotocol/clientCapabilities": {},
};

function askOthers({ wire, unique }: GradeContext): Promise<Answer[]> {
	const name = `conformance.nonexistent.${unique()}`;
	const delivery = { url: "https://conformance.invalid/mcp-events" };
	return Promise.all([
		wire.ask(METHODS.poll, { name, arguments: {}, cursor: null }),
		wire.ask(METHODS.unsubscribe, { name, arguments: {}, delivery }),
	]);
}

/** {} is declared, and nothing stands behind it: the one way in which an empty declaration can be wrong. */
export function isDeclaredInVain({ declared, listing }: GradeContext): boolean {
	const { value } = declared;
	return (
		isRecord(value) &&
		Object.keys(value).length === 0 &&
		errorOf(listing.pages[0])?.name === "MethodNotFound"
	);
}

/** A check of a row about what the server declares: untestable where that is not known. */
export function declaredRow(
	id: string,
	run: (context: GradeContext) => Promise<Finding>,
	more: Omit<Check<undefined>, "ids" | "run"> = {},
): Check<undefined> {
	return checkRow(
		id,
		async (context) => whyUnknown(context) ?? (await run(context)),
		more,
	);
}

/** The finding of a row that needs to know what is declared, where nothing could be read. */
function whyUnknown({ shaken }: GradeContext): Finding | undefined {
	if (resultOf(shaken.answer)) return undefined;
	return untestable(
		{ kind: "answer", name: "server/discover or initialize" },
		`what the server declares is not known: ${shaken.answer.method} was answered with ${tellAnswer(shaken.answer)}`,
		shaken.answer,
	);
}

/** The finding of a row that needs a catalogue, where there is none. */
export function noListing({ listing }: GradeContext): Finding {
	const [first] = listing.pages;
	return untestable(
		{ kind: "answer", name: "events/list" },
		`it was answered with ${tellAnswer(first)}`,
		first,
	);
}
