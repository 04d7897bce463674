import { expect, it } from "vitest";
import { shareChanges } from "../../../src/program/follow/share-changes.ts";

/** A source that a test feeds. */
function openSource() {
	let give: (result: IteratorResult<string>) => void = () => {};
	const source = {
		[Symbol.asyncIterator]: () => ({
			next: () =>
				new Promise<IteratorResult<string>>((resolve) => {
					give = resolve;
				}),
		}),
	};
	const settle = () => new Promise((resolve) => setImmediate(resolve));
	return {
		source,
		async say(value: string) {
			give({ done: false, value });
			await settle();
		},
		async end() {
			give({ done: true, value: undefined });
			await settle();
		},
	};
}

const collect = async (changes: AsyncIterable<string>) => {
	const seen: string[] = [];
	for await (const change of changes) seen.push(change);
	return seen;
};

it("gives every change to all who watch, from when they began", async () => {
	const { source, say, end } = openSource();
	const shared = shareChanges(source);
	const first = collect(shared.open());
	await say("a");
	const second = collect(shared.open());
	await say("b");
	await end();
	expect(await first).toEqual(["a", "b"]);
	expect(await second).toEqual(["b"]);
});

it("ends at once where nothing ever changes", async () => {
	expect(await collect(shareChanges(undefined).open())).toEqual([]);
});

it("lets one leave without ending the others", async () => {
	const { source, say } = openSource();
	const shared = shareChanges(source);
	const leaving = shared.open()[Symbol.asyncIterator]();
	const staying = collect(shared.open());
	const next = leaving.next();
	await leaving.return?.();
	expect(await next).toMatchObject({ done: true });
	await say("a");
	shared.close();
	expect(await staying).toEqual(["a"]);
});
