import { expect, it } from "vitest";
import { Places } from "../../src/state/places.ts";

it("does as much at once as there are places, in order, and goes on after what fails", async () => {
	const places = new Places(3);
	const begun: number[] = [];
	const finish: (() => void)[] = [];
	let most = 0;
	let running = 0;
	const work = async (name: number) => {
		begun.push(name);
		most = Math.max(most, ++running);
		await new Promise<void>((resolve) => finish.push(resolve));
		running--;
		if (name === 1) throw new Error("of one alone");
	};
	const all = Promise.allSettled(
		[...Array(10).keys()].map((name) => places.run(() => work(name))),
	);
	for (let done = 0; done < 10; done++) {
		await expect.poll(() => finish.length, { interval: 1 }).toBeGreaterThan(0);
		finish.shift()?.();
	}
	const how = (await all).map(({ status }) => status);
	expect(how.filter((status) => status === "rejected")).toHaveLength(1);
	expect(begun).toEqual([...Array(10).keys()]);
	expect(most).toBe(3);
});
