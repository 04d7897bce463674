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
		{
			kind: "reconnecting",
			why: "it broke",
			delayMs: 250,
			fault: undefined,
			isNews: false,
		},
		"detail",
		"connects again in 250ms: it broke",
	],
	[
		{
			kind: "status",
			sinceEventMs: 180_000,
			sinceSignMs: undefined,
			cursor: "c",
		},
		"status",
		"last event 3m ago, last sign of life never",
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
		{ kind: "stopped", cursor: "c", isKept: true, fault: undefined },
		"status",
		"stopped; to go on: --resume",
	],
	[
		{ kind: "stopped", cursor: undefined, isKept: true, fault: undefined },
		"status",
		"stopped; there is no cursor to go on from",
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
		{ kind: "ready", cursor: "c", first: true, url: "http://h/\x1b" },
		"status",
		"ready, by push at http://h/\\u001b",
	],
	[
		{
			kind: "rejected",
			reason: "no-match",
			why: "bad\x1b",
			status: 401,
			method: "POST",
			path: "/x",
			capture: undefined,
		},
		"loss",
		"rejected a delivery (401 no-match): bad\\u001b",
	],
	[
		{
			kind: "rejected",
			reason: "no-match",
			why: "bad",
			status: 401,
			method: "POST",
			path: "/x",
			capture: "cap_1",
		},
		"loss",
		"rejected a delivery (401 no-match): bad; to find the mistake: mcp-events verify cap_1",
	],
	[
		{ kind: "envelope", type: "verification", capture: undefined },
		"status",
		"answered the server's verification",
	],
	[
		{ kind: "envelope", type: "gap", capture: undefined },
		"detail",
		"took a gap envelope",
	],
	[
		{ kind: "envelope", type: "\x1b", capture: undefined },
		"status",
		'took an envelope of the unknown type "\\u001b"; it is no event',
	],
	[
		{
			kind: "forwarded",
			id: "evt_1",
			to: "http://h/y",
			status: 204,
			latencyMs: 12,
			bodyStart: "",
			fault: undefined,
		},
		"status",
		"forwarded evt_1 to http://h/y: 204 in 12ms",
	],
	[
		{
			kind: "forwarded",
			id: "evt_1",
			to: "http://h/y",
			status: 500,
			latencyMs: 12,
			bodyStart: "oops\x1b",
			fault: undefined,
		},
		"loss",
		"forwarded evt_1 to http://h/y: 500: oops\\u001b",
	],
	[
		{
			kind: "forwarded",
			id: "evt_1",
			to: "http://h/y",
			status: undefined,
			latencyMs: 12,
			bodyStart: "",
			fault,
		},
		"loss",
		"forwarded evt_1 to http://h/y: no answer (10s passed)",
	],
	[
		{
			kind: "handled",
			id: "evt_1",
			command: "node",
			status: 0,
			signal: undefined,
			isTimedOut: false,
			latencyMs: 2_000,
			stdoutStart: "A-1\n",
			stderrStart: "a warning",
			fault: undefined,
		},
		"status",
		"handed evt_1 to node: status 0 after 2s: A-1",
	],
	[
		{
			kind: "handled",
			id: "evt_1",
			command: "node",
			status: undefined,
			signal: "SIGTERM",
			isTimedOut: true,
			latencyMs: 2_000,
			stdoutStart: "",
			stderrStart: "",
			fault: undefined,
		},
		"loss",
		"handed evt_1 to node: SIGTERM after 2s, it took too long",
	],
	[
		{
			kind: "handled",
			id: "evt_1",
			command: "node",
			status: 1,
			signal: undefined,
			isTimedOut: false,
			latencyMs: 5,
			stdoutStart: "",
			stderrStart: "no such order\n",
			fault: undefined,
		},
		"loss",
		"handed evt_1 to node: status 1 after 5ms: no such order",
	],
	[
		{
			kind: "forwarded",
			id: "evt_1",
			to: "http://h/y",
			status: undefined,
			latencyMs: 0,
			bodyStart: "",
			fault: new Fault("not-handed-on", {
				what: "1000 wait for it already",
				next: "mcp-events replay cap_1",
			}),
		},
		"loss",
		"did not forward evt_1 to http://h/y: 1000 wait for it already; next: mcp-events replay cap_1",
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
		expect(tellItem(item).text).toContain("events may be missing here:");
		expect(tellItem({ ...item, since: 0 }).text).toContain(
			"events since 1970-01-01T00:00:00.000Z may be missing here:",
		);
	},
);

it("names no subscription where a rejected delivery has none", () => {
	const item = {
		...about(""),
		kind: "rejected" as const,
		reason: "unknown-path",
		why: "nothing is received at /x",
		status: 404,
		method: "POST",
		path: "/x",
		capture: undefined,
	};
	expect(tellItem(item).text).toBe(
		"rejected a delivery (404 unknown-path): nothing is received at /x",
	);
});
