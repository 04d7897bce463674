import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import { newSecret, parseSecret } from "../../src/signing/index.ts";

const bytes = Buffer.from("fb".repeat(32), "hex");
const standard = `whsec_${bytes.toString("base64")}`;

describe("a secret", () => {
	it("is read from its canonical form without a note", () => {
		const secret = parseSecret(` ${standard}\n`);
		expect(secret.reveal()).toBe(standard);
		expect(secret.key.export()).toEqual(bytes);
		expect(secret.notes).toEqual([]);
	});

	it.each([
		["base64url", `whsec_${bytes.toString("base64url")}`, 2],
		["missing padding", standard.replace(/=+$/, ""), 1],
		[
			"base64url with padding",
			standard.replaceAll("+", "-").replaceAll("/", "_"),
			1,
		],
	])("in %s is read with a note", (_, text, notes) => {
		const secret = parseSecret(text);
		expect(secret.reveal()).toBe(standard);
		expect(secret.notes).toHaveLength(notes);
	});

	it.each([
		["no prefix", bytes.toString("base64"), /does not begin/],
		[
			"a stranger among its characters",
			`${standard.slice(0, 20)}!${standard.slice(21)}`,
			/not base64/,
		],
		["last bits that mean nothing", `whsec_${"A".repeat(42)}B=`, /not base64/],
		["too much padding", `${standard}=`, /not base64/],
		[
			"23 bytes",
			`whsec_${Buffer.alloc(23, 7).toString("base64")}`,
			/23 bytes; 24 to 64/,
		],
		["65 bytes", `whsec_${Buffer.alloc(65, 7).toString("base64")}`, /65 bytes/],
		["nothing after the prefix", "whsec_", /0 bytes/],
	])("with %s is refused, and not shown", (_, text, why) => {
		const fault = faultOf(() => parseSecret(text));
		expect(fault.code).toBe("secret-invalid");
		expect(fault.why).toMatch(why);
		expect(JSON.stringify({ ...fault })).not.toContain(
			text.slice(6, 16) || "whsec_whsec_",
		);
	});

	it("is never shown by printing, joining or serialising it", () => {
		const secret = parseSecret(standard);
		const shown = [
			inspect({ secret }, { showHidden: true, depth: 9 }),
			`${secret}`,
			JSON.stringify([secret]),
		];
		for (const text of shown) expect(text).not.toContain(standard.slice(6, 14));
	});

	it("of our making is canonical, long enough and new each time", () => {
		const made = [newSecret(randomBytes), newSecret(randomBytes)].map(
			(secret) => secret.reveal(),
		);
		expect(made[0]).not.toBe(made[1]);
		for (const text of made) expect(parseSecret(text).notes).toEqual([]);
	});
});

function faultOf(run: () => unknown): Fault {
	try {
		run();
	} catch (error) {
		if (error instanceof Fault) return error;
	}
	throw new Error("no fault was thrown");
}
