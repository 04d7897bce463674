import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { describeSink } from "../../src/output/sink.ts";

it.each([
	["a terminal", 80, {}, false],
	["a terminal that is dumb", 80, { TERM: "dumb" }, true],
	["a terminal without a width", 0, {}, true],
])("knows whether %s can move its cursor", (_what, columns, env, isDumb) => {
	const stream = Object.assign(new PassThrough(), { isTTY: true, columns });
	expect(describeSink(stream, env).isDumb).toBe(isDumb);
});
