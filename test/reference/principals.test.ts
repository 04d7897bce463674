import { describe, expect, it } from "vitest";
import { createPrincipals } from "../../src/reference/principals.ts";

const TOKENS = [
	{ principal: "me", token: "s3cret" },
	{ principal: "me", token: "s3cret-next" },
	{ principal: "you", token: "other.token+/==" },
];

describe("the principal of an Authorization header", () => {
	it.each([
		["Bearer s3cret", "me"],
		["bearer s3cret", "me"],
		["BEARER  s3cret ", "me"],
		["Bearer s3cret-next", "me"],
		["Bearer other.token+/==", "you"],
		["Bearer s3cre", undefined],
		["Bearer s3crets", undefined],
		["Bearer S3CRET", undefined],
		["Bearer", undefined],
		["Bearer ", undefined],
		["Bearer s3cret, Bearer s3cret", undefined],
		["Basic s3cret", undefined],
		["s3cret", undefined],
		["", undefined],
		[undefined, undefined],
	])("%j is %s", (authorization, principal) => {
		expect(createPrincipals(TOKENS).of(authorization)).toBe(principal);
	});

	it("is nobody's where no token is known", () => {
		const none = createPrincipals([]);
		expect([none.areKnown, none.of("Bearer s3cret")]).toEqual([
			false,
			undefined,
		]);
		expect(createPrincipals(TOKENS).areKnown).toBe(true);
	});
});

describe("a token that cannot be used", () => {
	it.each([
		["two share it", [TOKENS[0], { principal: "you", token: "s3cret" }]],
		["it is empty", [{ principal: "me", token: "" }]],
		["it has a space", [{ principal: "me", token: "a b" }]],
		["it has a line end", [{ principal: "me", token: "a\n" }]],
		["its name is empty", [{ principal: "", token: "s3cret" }]],
		["its name has a space", [{ principal: "m e", token: "s3cret" }]],
	])("is refused, and never repeated: %s", (_why, tokens) => {
		const given = tokens.filter((token) => token !== undefined);
		const words = {
			code: "wrong-use",
			what: expect.not.stringMatching("s3cret"),
		};
		expect(() => createPrincipals(given)).toThrow(
			expect.objectContaining(words),
		);
	});
});
