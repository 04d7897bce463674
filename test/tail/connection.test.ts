import { describe, expect, it } from "vitest";
import { whyEnded } from "../../src/tail/connection.ts";
import { fault, runTail } from "./run-tail.ts";
import { type Act, active, event, terminated } from "./scripted-session.ts";

const stop = async (...streams: Act[][]) => {
	const run = await runTail({ streams: { tick: streams } });
	const last = run.items.at(-1);
	return last?.kind === "stopped" ? last.fault : undefined;
};

describe("why a stream ended", () => {
	it.each([
		[
			"in order",
			{ kind: "ended" },
			"the server ended the stream, not the subscription",
		],
		["in silence", { kind: "silent" }, "nothing was heard for 60 s"],
		[
			"by a fault",
			{ kind: "fault", fault: fault("connection-failed") },
			"scripted connection-failed",
		],
	] as const)("is told where it ended %s", (_, ending, words) => {
		expect(whyEnded(ending, { staleAfterMs: 60_000 })).toBe(words);
	});
});

describe("the fault that a stream ends with", () => {
	it("quotes the server where that ended the subscription", async () => {
		expect(
			await stop([[active("c"), terminated(-32023, "type removed")]]),
		).toMatchObject({
			code: "terminated",
			exitStatus: 8,
			what: "the server ended the subscription tick: NotFound (-32023)",
			why: "it says: type removed",
			wire: { code: -32023 },
		});
	});

	it("is one of access where the server says Forbidden", async () => {
		expect(await stop([[active("c"), terminated(-32024, "")]])).toMatchObject({
			code: "forbidden",
			exitStatus: 4,
			why: "it gave no reason",
		});
	});

	it("says that active never came where nothing did", async () => {
		const silent: Act[][] = Array(5).fill(["silence"]);
		expect(await stop(...silent)).toMatchObject({
			code: "timed-out",
			exitStatus: 3,
			what: "the stream of tick never became active",
		});
	});

	it("says that active never came where the server hangs up each time", async () => {
		const empty: Act[][] = Array(5).fill([]);
		expect(await stop(...empty)).toMatchObject({
			code: "no-response",
			exitStatus: 5,
			why: "the server ended it before, 5 times in a row",
		});
	});
});

describe("a stream that was open and is answered by an error", () => {
	const live: Act[] = [[active("c1")], [event("e1", "c2")]];

	it("is opened again, since only 'terminated' ends a subscription", async () => {
		const run = await runTail(
			{
				streams: {
					tick: [
						[...live, fault("event-unknown")],
						[[active("c2")], [event("e2", "c3")]],
					],
				},
			},
			{ count: 2 },
		);
		expect(run.told.at(-1)).toBe("stopped c3");
	});

	it("ends where that error is Forbidden", async () => {
		expect(await stop([...live, fault("forbidden")])).toMatchObject({
			code: "forbidden",
		});
	});
});
