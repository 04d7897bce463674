import { expect, it } from "vitest";
import { createMask } from "../../src/faults/index.ts";

it.each([
	["as it is", "token t0k/en-12345 is unknown", "token *** is unknown"],
	["as JSON spells it", '{"t":"t0k\\/en-12345"}', '{"t":"***"}'],
	["word by word", "Bearer t0k/en-12345", "Bearer ***"],
	["but no short word", "all is ok", "all is ok"],
])("hides a secret %s", (_, text, shown) => {
	expect(createMask(["Basic t0k/en-12345", "ok"])(text)).toBe(shown);
});
