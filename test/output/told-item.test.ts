import { expect, it } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import { tellItem } from "../../src/output/told-item.ts";
import { about } from "./items.ts";

const fault = new Fault("timed-out", { what: "no answer", why: "10s passed" });
const error = { name: "Forbidden", code: -32024, message: "go away" };

it.each([
	[{ kind: "ready", cursor: "c", first: true }, "status", "ready, by push"],
	[
		{ kind: "ready", cursor: "c", first: false },
		"status",
		"flows again, by push",
	],
	[
		{ kind: "mode", why: "push failed" },
		"status",
		"goes on by push: push failed",
	],
	[
		{ kind: "reconnecting", why: "it broke", delayMs: 250, fault: undefined },
		"status",
		"connects again in 250ms: it broke",
	],
	[
		{ kind: "reconnecting", why: "no answer", delayMs: 90_000, fault },
		"status",
		"connects again in 90s: no answer (10s passed)",
	],
	[
		{ kind: "reconnecting", why: "it broke", delayMs: 0, fault },
		"status",
		"connects again: it broke (no answer; 10s passed)",
	],
	[
		{ kind: "error", error },
		"loss",
		"the server tells of an error and goes on: Forbidden (-32024): go away",
	],
	[
		{ kind: "terminated", error: { ...error, message: "" } },
		"loss",
		"the server ended the subscription: Forbidden (-32024)",
	],
	[{ kind: "heartbeat", cursor: undefined }, "status", "heartbeat"],
	[
		{ kind: "stopped", cursor: undefined, fault: undefined },
		"status",
		"stopped; there is no cursor to go on from",
	],
	[
		{ kind: "stopped", cursor: "", fault: undefined },
		"status",
		"stopped; to go on: --cursor ''",
	],
	[
		{ kind: "stopped", cursor: "-x", fault: undefined },
		"status",
		"stopped; to go on: --cursor='-x'",
	],
	[
		{ kind: "stopped", cursor: "a\x1b", fault: undefined },
		"status",
		"stopped; to go on: --cursor $'a\\u001b'",
	],
	[
		{ kind: "stopped", cursor: "c", fault },
		"loss",
		"stopped: no answer (10s passed); to go on: --cursor 'c'",
	],
	[
		{
			kind: "stopped",
			cursor: "c",
			fault: new Fault("bug", { what: "x", why: "y", next: "z" }),
		},
		"loss",
		"stopped: x (y); next: z; to go on: --cursor 'c'",
	],
	[
		{ kind: "stopped", cursor: "c".repeat(9_000), fault: undefined },
		"status",
		"stopped; its last cursor has 9000 characters, and only --output records shows it",
	],
] as const)("tells %j as %s: %s", (item, level, text) => {
	expect(tellItem({ ...about(), ...item })).toEqual({
		level,
		text: `orders.created: ${text}`,
	});
});

it.each(["cursor-rejected", "no-cursor", "truncated"] as const)(
	"tells of a gap for the reason %s as a loss",
	(reason) => {
		const item = { ...about(), kind: "gap" as const, reason, cursor: "c" };
		expect(tellItem(item).level).toBe("loss");
		expect(tellItem(item).text).toContain("events may be missing here");
	},
);
