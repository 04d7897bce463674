import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readTokens } from "../../../src/program/serve/tokens.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-events-tokens-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "token");
writeFileSync(file, "from-a-file\n");
const env = { TOKEN: "from-the-environment", EMPTY: " " };

describe("--token", () => {
	it.each([
		["me=typed", "typed"],
		["me=a=b==", "a=b=="],
		[`me=@${file}`, "from-a-file"],
		["me=env:TOKEN", "from-the-environment"],
	])("%s is the token %s", async (text, token) => {
		expect(await readTokens([text], { env })).toEqual([
			{ principal: "me", token },
		]);
	});

	it.each([
		["s3cret", "--token names no principal"],
		["=s3cret", "--token names no principal"],
		["me=@/no/such/file", "cannot be read"],
		["me=env:UNSET", "no environment variable that is set"],
		["me=env:EMPTY", "no environment variable that is set"],
		["me=env:NOT A NAME", "no environment variable that is set"],
	])("%s is refused, and no token repeated", async (text, what) => {
		const fault = await readTokens([text], { env }).catch((error) => error);
		expect(fault).toMatchObject({ code: "wrong-use" });
		expect(fault.what).toContain(what);
		expect(`${fault.what} ${fault.why} ${fault.next}`).not.toContain("s3cret");
	});
});
