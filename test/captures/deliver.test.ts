import { describe, expect, it } from "vitest";
import { type Attempt, deliver } from "../../src/captures/index.ts";
import { Fault } from "../../src/faults/index.ts";

const outgoing = { headers: [], body: Buffer.from("{}") };
const refused = new Fault("connection-refused", { what: "nobody" });
const broken = new Fault("tls-failed", { what: "no" });

async function run(answers: (number | Fault)[], retries: number) {
	const attempts: Attempt[] = [];
	const waits: number[] = [];
	let made = 0;
	const last = await deliver(
		() => {
			made++;
			return outgoing;
		},
		{
			retries,
			post: async () => {
				const answer = answers[attempts.length] ?? 500;
				if (answer instanceof Fault) throw answer;
				return { status: answer, latencyMs: 1, bodyStart: "" };
			},
			tell: async (attempt) => {
				attempts.push(attempt);
			},
			sleep: async (ms) => {
				waits.push(ms);
			},
			random: () => 0.5,
			signal: new AbortController().signal,
		},
	);
	const told = attempts.map(({ answer, fault }) => answer?.status ?? fault);
	return { last, told, waits, made };
}

describe("a delivery", () => {
	it("is tried once where nobody asks for more", async () => {
		const { told, waits } = await run([500, 204], 0);
		expect(told).toEqual([500]);
		expect(waits).toEqual([]);
	});

	it("is made anew for each attempt, after waits that grow, until it is taken", async () => {
		const { told, waits, made, last } = await run([500, refused, 302, 204], 9);
		expect(told).toEqual([500, refused, 302, 204]);
		expect(waits).toEqual([1_000, 2_000, 4_000]);
		expect(made).toBe(4);
		expect(last.attempt).toBe(4);
	});

	it.each([
		["410", 410],
		["413", 413],
		["a failure that stays", broken],
	])("is not tried again after %s", async (_what, answer) => {
		expect((await run([answer, 204], 5)).told).toEqual([answer]);
	});

	it("is given up after so many attempts", async () => {
		expect((await run([], 2)).told).toEqual([500, 500, 500]);
	});
});
