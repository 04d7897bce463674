import { describe, expect, it } from "vitest";
import { EXIT_STATUSES, FAULT_CODES, Fault } from "../../src/faults/index.ts";

describe("a fault", () => {
	it.each([
		["wrong-use", 2],
		["dns-failed", 3],
		["connection-refused", 3],
		["tls-failed", 3],
		["timed-out", 3],
		["redirected", 3],
		["http-not-found", 3],
		["rate-limited", 3],
		["server-failing", 3],
		["unauthorized", 4],
		["forbidden", 4],
		["not-json", 5],
		["wrong-id", 5],
		["too-large", 5],
		["not-events", 5],
		["count-not-reached", 6],
		["terminated", 8],
		["bug", 70],
	] as const)("%s ends with status %i", (code, status) => {
		expect(new Fault(code, { what: "x" }).exitStatus).toBe(status);
	});

	it("says whether trying again can help", () => {
		expect(new Fault("server-failing", { what: "x" }).isTransient).toBe(true);
		expect(new Fault("unauthorized", { what: "x" }).isTransient).toBe(false);
	});

	it("says what to do next even where its maker knows nothing better", () => {
		const shape = new Fault("wrong-shape", { what: "x" });
		expect(shape.next).toContain("--log-rpc FILE");
		expect(new Fault("wrong-shape", { what: "x", next: "y" }).next).toBe("y");
	});

	it("has a code in kebab-case and a meaning on one line", () => {
		for (const [code, row] of Object.entries(FAULT_CODES)) {
			expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
			expect(row.meaning).toMatch(/^[^\n]+$/);
		}
	});
});

describe("the exit statuses", () => {
	it("are those of the contract, each once", () => {
		const statuses = Object.values(EXIT_STATUSES).map(({ status }) => status);
		expect(statuses).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 70, 129, 130, 143]);
	});
});
