import { expect, it } from "vitest";
import { listFaults } from "../../../src/program/serve/lists.ts";

it("faults are listed with the rule that each breaks, the scenario that tries it, and the value it takes", async () => {
	const told: string[] = [];
	const lines = async (texts: readonly (string | Buffer)[]) => {
		told.push(...texts.map(String));
	};
	expect(await listFaults({ lines })).toBe(0);
	const faults = told.map((line) => JSON.parse(line));
	expect(faults.find(({ name }) => name === "drop")).toMatchObject({
		scenario: "chaos",
		default: expect.any(Number),
	});
	for (const { name, scenario, about, rule } of faults) {
		expect(name, name).toMatch(/^[a-z0-9-]+$/);
		expect(about, name).toMatch(/\w/);
		expect(scenario, name).toMatch(/^(chaos|events-[a-z-]+)$/);
		expect(rule === "chaos", name).toBe(scenario === "chaos");
	}
});
