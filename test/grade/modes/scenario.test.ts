// events-modes against servers whose modes agree, and against servers that are bent in one of them.
import { describe, expect, it } from "vitest";
import { METHODS, NOTIFICATIONS } from "../../../src/protocol/index.ts";
import { type Hooks, NOTHING } from "../../../src/reference/flaws/flaw.ts";
import {
	onNotification,
	onResult,
	resign,
} from "../../../src/reference/flaws/hooks.ts";
import {
	gradeBent,
	gradeModes,
	openModesServer,
	verdictsOf,
} from "./modes-server.ts";

const AGREED = {
	"none-missing": "SUCCESS",
	"none-extra": "SUCCESS",
	"same-occurrence": "SUCCESS",
	"none-late": "SUCCESS",
};

/** True of the fifth event that a mode brings, and of that one alone. */
function fifth(): (event: { eventId: string }) => boolean {
	const ids = new Set<string>();
	return ({ eventId }) => {
		ids.add(eventId);
		return [...ids][4] === eventId;
	};
}

describe("a server whose modes agree", () => {
	it("passes by all three, each named with what it brought", async () => {
		const graded = await gradeBent({});
		expect(graded.defects).toEqual([]);
		expect(verdictsOf(graded)).toEqual(AGREED);
		expect(graded.messageOf("events-modes/modes-none-missing")).toMatch(
			/^2\d events of "conformance\.steady" by poll, push and webhook: none missing; every mode is compared$/,
		);
		const [row] = graded.report.rows;
		expect(row?.evidence.map(({ via }) => via).sort()).toEqual([
			"http",
			"http",
			"receiver",
		]);
	});
});

const losing = (): Hooks => {
	const isFifth = fifth();
	return onNotification(NOTIFICATIONS.event, (params) =>
		isFifth(params) ? NOTHING : undefined,
	);
};

const altering = (): Hooks => {
	const isFifth = fifth();
	return {
		delivery(delivery) {
			const event = JSON.parse(delivery.body);
			if (event.eventId === undefined || !isFifth(event)) return;
			event.data.text = "another";
			delivery.body = JSON.stringify(event);
			resign(delivery);
		},
	};
};

const inventing = (): Hooks => {
	let left = 1;
	return onResult(METHODS.poll, ({ events }) => {
		if (events.length === 0 || left-- < 1) return;
		events.push({ ...events[0], eventId: "made-up" });
	});
};

const bends: [
	what: string,
	hooks: () => Hooks,
	verdicts: object,
	told: RegExp,
][] = [
	[
		"that loses an event by push",
		losing,
		{ "none-missing": "FAILURE" },
		/1 are missing: "conformance\.steady-\S+" by push; every mode/,
	],
	[
		"that delivers another body by webhook",
		altering,
		{ "same-occurrence": "FAILURE" },
		/data is .* and .*another/,
	],
	[
		"that brings an event too much by poll",
		inventing,
		{ "none-extra": "FAILURE" },
		/came by one mode alone: "made-up" by poll/,
	],
];

describe("a server", () => {
	it.each(bends)(
		"%s is told so, and of nothing else",
		async (_what, hooks, verdicts, told) => {
			const graded = await gradeBent(hooks());
			expect(graded.defects).toEqual([]);
			expect(verdictsOf(graded)).toEqual({ ...AGREED, ...verdicts });
			const row = graded.report.rows.find(
				({ verdict }) => verdict === "FAILURE",
			);
			expect(row?.message).toMatch(told);
			expect(row?.disagreements).toHaveLength(1);
			expect(row?.evidence.length).toBeGreaterThan(0);
		},
	);

	it("whose polls come late is remarked upon, and does not fail", async () => {
		await using server = await openModesServer({}, { pollIntervalMs: 1_200 });
		const graded = await gradeModes(server.url, {
			waits: { modesLateMs: 600 },
		});
		expect(verdictsOf(graded)).toEqual({ ...AGREED, "none-late": "WARNING" });
		expect(graded.messageOf("events-modes/modes-none-late")).toMatch(
			/by poll \d{3,4} ms after/,
		);
	});
});
