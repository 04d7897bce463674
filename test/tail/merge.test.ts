import { expect, it } from "vitest";
import { Merge } from "../../src/tail/merge.ts";

type Source = AsyncGenerator<number, string, void>;
const never = new AbortController().signal;

async function* counting(from: number, until: number): Source {
	for (let n = from; n < until; n++) yield n;
	return `done at ${until}`;
}

it("takes in turn, and asks a source again only when told to", async () => {
	const merge = new Merge(
		new Map([
			["a", counting(0, 9)],
			["b", counting(10, 19)],
		]),
	);
	const taken: unknown[] = [];
	for (let n = 0; n < 4; n++) {
		const arrival = await merge.take(never);
		if (arrival?.kind === "value") taken.push(arrival.value);
		if (arrival) merge.resume(arrival.source);
	}
	expect(taken).toEqual([0, 10, 1, 11]);
});

it("tells what a source returned and what it threw", async () => {
	async function* failing(): Source {
		yield* [];
		throw new Error("broken");
	}
	const merge = new Merge(
		new Map([
			["a", counting(0, 0)],
			["b", failing()],
		]),
	);
	expect(await merge.take(never)).toMatchObject({ result: "done at 0" });
	expect(await merge.take(never)).toMatchObject({ kind: "failed" });
});

it("gives up waiting when the signal aborts, and drops what is waiting", async () => {
	const stop = new AbortController();
	const merge = new Merge(new Map([["a", counting(0, 9)]]));
	await merge.take(stop.signal);
	const pending = merge.take(stop.signal);
	stop.abort();
	expect(await pending).toBeUndefined();
	merge.resume("a");
	expect(await merge.take(stop.signal)).toBeUndefined();
});

it("lets every source clean up when it closes", async () => {
	const cleaned: string[] = [];
	async function* careful(name: string): Source {
		try {
			yield 1;
		} finally {
			cleaned.push(name);
		}
		return "";
	}
	const names = ["a", "b", "c"];
	const merge = new Merge(new Map(names.map((n) => [n, careful(n)])));
	await merge.take(never);
	await merge.close();
	expect(cleaned).toEqual(names);
});
