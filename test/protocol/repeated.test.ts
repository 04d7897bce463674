import { describe, expect, it } from "vitest";
import { layOut, REFUSED, Repeated } from "../../src/protocol/index.ts";

function openRepeated() {
	let reads = 0;
	const values = new Repeated<unknown>("none yet", (bytes, at, end) => {
		reads++;
		const value: unknown = JSON.parse(bytes.toString("utf8", at, end));
		return value === false ? undefined : value;
	});
	const scan = (text: string) => values.scan(layOut(Buffer.from(text)), 0);
	return { values, scan, reads: () => reads };
}

describe("a value that comes again", () => {
	it("is read once, and is found behind other bytes too", () => {
		const { values, scan, reads } = openRepeated();
		expect(scan('{"a":1},')).toBe(7);
		expect(values.scan(layOut(Buffer.from('  {"a":1}')), 2)).toBe(9);
		expect(values.last).toEqual({ a: 1 });
		expect(reads()).toBe(1);
	});

	it("is read each time where it is long", () => {
		const text = JSON.stringify("x".repeat(2_000));
		const { values, scan, reads } = openRepeated();
		expect([scan(text), scan(text)]).toEqual([text.length, text.length]);
		expect(values.last).toEqual(JSON.parse(text));
		expect(reads()).toBe(2);
	});

	it.each([
		["broken JSON", '{"a":'],
		["what is not meant", "false"],
	])("keeps the last one at %s", (_, text) => {
		const { values, scan } = openRepeated();
		scan('"before"');
		expect(scan(text)).toBe(REFUSED);
		expect(values.last).toBe("before");
	});
});
