import { expect, it } from "vitest";
import { makeTurnEnd } from "../../src/receiver/turn.ts";

it("what waits for the end of a turn goes on then, in its order, and what comes later waits for the next", async () => {
	const turnEnd = makeTurnEnd();
	const told: string[] = [];
	const wait = async (name: string) => {
		await turnEnd();
		told.push(name);
	};
	const first = wait("first");
	const second = wait("second");
	const immediate = new Promise<void>((resolve) => setImmediate(resolve));
	await Promise.resolve();
	expect(told).toEqual([]);
	const third = first.then(() => wait("third"));
	await immediate;
	expect(told).toEqual(["first", "second"]);
	await Promise.all([second, third]);
	expect(told).toEqual(["first", "second", "third"]);
});
