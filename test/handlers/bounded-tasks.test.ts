import { expect, it } from "vitest";
import { openBoundedTasks } from "../../src/handlers/index.ts";

/** A task that ends when it is told to. */
function openTask() {
	let end = () => {};
	const ended = new Promise<void>((resolve) => {
		end = resolve;
	});
	return { run: () => ended, end };
}

it.each([
	["many", { most: 2, mostBytes: 100 }, 1],
	["large", { most: 100, mostBytes: 20 }, 10],
])(
	"takes no more where too %s have not ended, and again once one has",
	async (_what, bounds, bytes) => {
		const tasks = openBoundedTasks({ atOnce: 1, ...bounds });
		const first = openTask();
		const second = openTask();
		const one = tasks.add(first.run, bytes);
		const two = tasks.add(second.run, bytes);
		expect(tasks.open).toBe(2);
		expect(tasks.add(async () => "never", bytes)).toBeUndefined();
		first.end();
		await one;
		second.end();
		await two;
		expect(tasks.open).toBe(0);
		expect(await tasks.add(async () => "now", bytes)).toBe("now");
	},
);

it("takes one that is larger than all may be, where nothing else waits", async () => {
	const tasks = openBoundedTasks({ atOnce: 1, most: 5, mostBytes: 10 });
	expect(await tasks.add(async () => "taken", 50)).toBe("taken");
});

it("has room again after a task that failed", async () => {
	const tasks = openBoundedTasks({ atOnce: 1, most: 1, mostBytes: 10 });
	const failed = tasks.add(() => Promise.reject(new Error("no")), 1);
	await expect(failed).rejects.toThrow("no");
	expect(await tasks.add(async () => "yes", 1)).toBe("yes");
});
