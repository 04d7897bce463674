import { describe, expect, it } from "vitest";
import { Backlog } from "../../../src/session/stdio/backlog.ts";

const MIB = 1024 * 1024;
const shares = (backlog: Backlog, count: number, bytes: number) =>
	Array.from({ length: count }, () => {
		const share = backlog.open();
		share.setBytes(bytes);
		return share;
	});

describe("a pipe is read on", () => {
	it.each([
		["while all keep up", 1_000, 1_000, false],
		["but not where one is behind", 1, 2 * MIB, true],
		["but not where many are a little behind", 1_000, MIB / 100, true],
	])("%s", (_, count, bytes, mustWait) => {
		const backlog = new Backlog();
		shares(backlog, count, bytes);
		expect(backlog.mustWait).toBe(mustWait);
	});

	it.each([
		["while an answer is awaited behind one that is behind", 1, 2 * MIB, false],
		["but not where one is far behind", 1, 17 * MIB, true],
		["but not where all are far behind together", 100, 0.9 * MIB, true],
	])("%s", (_, count, bytes, mustWait) => {
		const backlog = new Backlog();
		shares(backlog, count, bytes);
		backlog.open().await();
		expect(backlog.mustWait).toBe(mustWait);
	});

	it("once they have caught up, or are gone", () => {
		const backlog = new Backlog();
		const [first, second] = shares(backlog, 2, 2 * MIB);
		first?.setBytes(0);
		expect(backlog.mustWait).toBe(true);
		second?.close();
		expect(backlog.mustWait).toBe(false);
	});

	it("no longer once the answer has come", () => {
		const backlog = new Backlog();
		shares(backlog, 1, 2 * MIB);
		const awaited = backlog.open();
		awaited.await();
		awaited.answered();
		expect(backlog.mustWait).toBe(true);
	});
});
