import { expect, it } from "vitest";
import { Fault, type FaultCode } from "../../../src/faults/index.ts";
import { patience } from "../../../src/program/connect/patience.ts";

/** Asks something that answers as listed, the last for ever. */
async function asked(...answers: (string | Fault)[]) {
	const waits: number[] = [];
	const said: string[] = [];
	const sleep = async (ms: number) => void waits.push(ms);
	const stop = new AbortController().signal;
	const say = (text: string) => void said.push(text);
	const patiently = patience({ sleep, random: () => 0.5, stop }, { say });
	let count = 0;
	const result = await patiently(async () => {
		const answer = answers[Math.min(count++, answers.length - 1)];
		if (answer instanceof Fault) throw answer;
		return answer;
	}).catch((fault: Fault) => fault.code);
	return { result, waits, said };
}

const fault = (code: FaultCode, retryAfterMs?: number) =>
	new Fault(code, {
		what: "it is busy",
		...(retryAfterMs && { retryAfterMs }),
	});

it("asks a failing server again after a while, and says so", async () => {
	const run = await asked(fault("server-failing"), "there");
	expect(run).toEqual({
		result: "there",
		waits: [500],
		said: ["it is busy: asked again, 2 of 3"],
	});
});

it("waits as long as a server wants that is asked too often", async () => {
	const run = await asked(fault("rate-limited", 2_000), "there");
	expect(run.waits).toEqual([2_000]);
});

it("gives up after three times", async () => {
	const run = await asked(fault("server-failing"));
	expect(run).toMatchObject({ result: "server-failing", waits: [500, 1_000] });
});

it.each([
	["unauthorized", undefined],
	["connection-refused", undefined],
	["rate-limited", 3_600_000],
] as const)("asks once for %s, %s ms", async (code, retryAfterMs) => {
	const run = await asked(fault(code, retryAfterMs));
	expect(run).toEqual({ result: code, waits: [], said: [] });
});
