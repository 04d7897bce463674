// That each rule has a server to fail it: `npm run -s rows` shows that it does.
import { expect, it } from "vitest";
import { CATALOGUE, rowKey } from "../../src/grade/index.ts";
import { FLAWS } from "../../src/reference/index.ts";
import { BREAKING } from "../rows/other-servers.ts";
import { breakingServer, UNTRIED } from "../rows/servers.ts";

it("every rule of the catalogue has a server that breaks it, but for those that nothing can try", () => {
	const without = CATALOGUE.filter((row) => !breakingServer(row)).map(rowKey);
	expect(without.sort()).toEqual(Object.keys(UNTRIED).sort());
});

it("every flaw and every bend breaks a rule that there is", () => {
	const keys = new Set(CATALOGUE.map(rowKey));
	const broken = FLAWS.filter(({ rule }) => rule !== "chaos").map(
		({ scenario, rule }) => `${scenario}/${rule}`,
	);
	const unknown = [...broken, ...Object.keys(BREAKING)].filter(
		(key) => !keys.has(key),
	);
	expect(unknown).toEqual([]);
});
