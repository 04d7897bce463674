import { expect, it } from "vitest";
import { Reading } from "../../src/tail/reading.ts";

const FULL = 256 * 1024;

it("lets a stream that is alone in at once, however much it brings", () => {
	const gate = new Reading().openGate();
	for (const bytes of [10, 3 * FULL, FULL]) {
		expect(gate.enter(bytes)).toBeUndefined();
		expect(gate.waiting).toBeUndefined();
		gate.leave();
	}
});

it("holds others back while much is read and not shown, and lets them in as they came", async () => {
	const reading = new Reading();
	const [first, ...others] = ["a", "b", "c"].map((name) => ({
		name,
		gate: reading.openGate(),
	}));
	expect(first?.gate.enter(FULL)).toBeUndefined();
	const entered: string[] = [];
	for (const { name, gate } of others)
		gate.enter(FULL)?.then(() => entered.push(name));
	expect(others.map(({ gate }) => gate.waiting !== undefined)).toEqual([
		true,
		true,
	]);
	for (const { gate } of [first, ...others].flatMap((one) => one ?? [])) {
		gate.leave();
		await Promise.resolve();
	}
	expect(entered).toEqual(["b", "c"]);
	expect(others[0]?.gate.waiting).toBeUndefined();
});

it("lets many in side by side where each brings little", () => {
	const reading = new Reading();
	const waits = Array.from({ length: 500 }, () =>
		reading.openGate().enter(500),
	);
	expect(new Set(waits)).toEqual(new Set([undefined]));
});

it("counts one that leaves twice once", () => {
	const reading = new Reading();
	const [full, other, third] = [1, 2, 3].map(() => reading.openGate());
	full?.enter(FULL);
	full?.leave();
	full?.leave();
	expect(other?.enter(FULL)).toBeUndefined();
	expect(third?.enter(1)).toBeInstanceOf(Promise);
});
