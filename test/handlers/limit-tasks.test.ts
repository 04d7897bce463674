import { expect, it } from "vitest";
import { limitTasks } from "../../src/handlers/index.ts";

it("runs so many tasks at once, in the order given, and passes their results on", async () => {
	const limited = limitTasks(2);
	const started: number[] = [];
	const ends: (() => void)[] = [];
	const task = (n: number) => async () => {
		started.push(n);
		await new Promise<void>((resolve) => ends.push(resolve));
		return n;
	};
	const results = [1, 2, 3, 4].map((n) => limited(task(n)));
	expect(started).toEqual([1, 2]);
	ends[0]?.();
	expect(await results[0]).toBe(1);
	await expect.poll(() => started).toEqual([1, 2, 3]);
	for (let n = 1; n < 4; n++) {
		await expect.poll(() => ends.length).toBeGreaterThan(n);
		ends[n]?.();
	}
	expect(await Promise.all(results)).toEqual([1, 2, 3, 4]);
});

it("goes on after a task that failed", async () => {
	const limited = limitTasks(1);
	const failed = limited(() => Promise.reject(new Error("no")));
	const after = limited(async () => "yes");
	await expect(failed).rejects.toThrow("no");
	expect(await after).toBe("yes");
});
