// The receiver's own document by hand: whose consent it is, on what it counts, and where its redirect leads.
import { describe, expect, it } from "vitest";
import type { Probe } from "../../../src/grade/delivery/stage.ts";
import { wellKnownChecks } from "../../../src/grade/delivery/well-known.ts";
import {
	answerOf,
	challengeOf,
	contextOf,
	eventOf,
	judge,
	NOT_LIFTED,
	pathOf,
	placeOf,
	probeOf,
	requestOf,
	type Sent,
	stageOf,
	subOf,
} from "./by-hand.ts";

const CONSENTED = () => probeOf([challengeOf(), eventOf(1)]);
const UNASKED = () => probeOf([eventOf(1)]);

interface Told {
	/** Of the covered path, and of the same by another name. */
	opens?: Probe[];
	main?: Probe;
	fetches?: number;
	isHttps?: boolean;
	isPublic?: boolean;
	isLifted?: boolean;
	/** Came to where the document was redirected. */
	followed?: Sent[];
}

function honour({
	opens = [UNASKED(), UNASKED()],
	main = CONSENTED(),
	fetches = 1,
	isHttps = true,
	isPublic = false,
	isLifted = true,
	followed = [],
}: Told) {
	const place = placeOf({
		base: isHttps ? "https://here.example" : "http://here.example",
		isPublic,
		documents: Array.from({ length: fetches }, () =>
			requestOf({ method: "GET" }),
		),
		openPath: () => pathOf(followed),
		allow: async () => (isLifted ? undefined : NOT_LIFTED),
	});
	return { context: contextOf(), stage: stageOf({ opens, main, place }) };
}

describe("a document", () => {
	const refused = () => probeOf([eventOf(1)], { sub: subOf(answerOf(-32602)) });
	const followed = [challengeOf()];
	it.each<[string, Told, string]>([
		["honoured", {}, "holds"],
		["taken for another path", { main: UNASKED() }, "broken"],
		["of which nobody asks", { main: UNASKED(), fetches: 0 }, "skipped"],
		[
			"where no event came",
			{ main: probeOf(), opens: [probeOf()] },
			"untestable traffic",
		],
		["whose path is refused", { opens: [refused()] }, "untestable traffic"],
		["honoured without TLS", { isHttps: false }, "broken"],
		[
			"not honoured without TLS",
			{ isHttps: false, opens: [CONSENTED()] },
			"untestable flag",
		],
		[
			"not fetched without TLS",
			{ isHttps: false, fetches: 0 },
			"untestable flag",
		],
		["that is not fetched", { fetches: 0 }, "skipped"],
		["beside which it is asked", { opens: [CONSENTED()] }, "skipped"],
		["whose redirect is followed", { followed }, "broken"],
		["whose redirect cannot be tried", { followed, isLifted: false }, "holds"],
		["of a public place", { followed, isPublic: true }, "holds"],
	])("%s", async (_about, told, word) => {
		const row = "well-known-document-honoured";
		expect(await judge(wellKnownChecks, row, honour(told))).toBe(word);
	});

	it("is redirected by one name alone, and whole again afterwards", async () => {
		const told = honour({});
		const { stage } = told;
		const { receiver } = stage.place;
		const before = receiver.document;
		const { open } = stage;
		const statuses: number[] = [];
		stage.open = async (wish) => {
			for (const host of wish?.base ? ["localhost:7", "127.0.0.1:7"] : [])
				statuses.push(
					receiver.document(requestOf({ headers: { host } })).status,
				);
			return await open(wish);
		};
		await judge(wellKnownChecks, "well-known-document-honoured", told);
		expect(statuses).toEqual([302, 200]);
		expect(receiver.document).toBe(before);
	});
});
