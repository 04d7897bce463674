// Which event type is compared, of several that are made by hand.
import { expect, it } from "vitest";
import { modes } from "../../../src/grade/modes/scenario.ts";
import { answerOf, optionsOf, subjectOf } from "../delivery/by-hand.ts";
import { errorOf, frame, streamOf } from "../push/by-hand.ts";
import { openingOf, type Said } from "./by-hand.ts";
import { occurrence } from "./modes-server.ts";

const both = (name: string) => subjectOf(name, ["poll", "push"]);
const REFUSED = {
	answers: [answerOf(-32602)],
	streams: [1, 2].map(() => streamOf(errorOf(-32602))),
};

/** What the first row says of types of these names. */
async function judge(
	names: readonly string[],
	said: Said,
	named: readonly string[] = [],
) {
	const subjects = names.map(both);
	const { opening } = openingOf({
		...said,
		context: {
			subjects: {
				withMode: async () => subjects,
				withoutMode: async () => undefined,
				first: async () => both("a.b"),
			},
			listing: {
				pages: [answerOf()],
				types: [subjectOf("c.c", ["poll"]).type, both("d.d").type],
				stopped: undefined,
			},
			options: optionsOf({
				arguments: new Map(named.map((name) => [name, {}])),
			}),
		},
	});
	const { checks } = await modes.open(opening.context);
	const findings = await checks[0]?.run(opening.context);
	return JSON.stringify(findings?.["modes-none-missing"]);
}

it("tells of the first type where none serves", async () => {
	const told = await judge(["a.a", "b.b"], REFUSED);
	expect(told).toContain("a.a does not offer it");
});

it("begins with a type whose arguments were given", async () => {
	const told = await judge(["a.a", "b.b"], REFUSED, ["b.b"]);
	expect(told).toContain("b.b does not offer it");
});

it("names the arguments of a type that has two modes", async () => {
	expect(await judge([], REFUSED)).toContain("--arguments d.d=JSON");
});

it("goes on to a type that serves", async () => {
	const came = { events: [occurrence("e1")], cursor: "c1" };
	const polled = { ...answerOf(came), record: frame({}).record };
	const method = (name: string) => `notifications/events/${name}`;
	const stands = streamOf(
		frame({ method: method("active"), params: { cursor: "c0" } }),
		frame({ method: method("event"), params: occurrence("e1") }),
	);
	const told = await judge(["a.a", "b.b"], {
		answers: [answerOf(-32602), answerOf({ events: [], cursor: "c0" }), polled],
		streams: [streamOf(errorOf(-32602)), stands],
	});
	expect(told).toContain('"kind":"holds"');
});
