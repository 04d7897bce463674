import { describe, expect, it } from "vitest";
import {
	type Compiler,
	openScanner,
} from "../../../src/protocol/scanner/scanner.ts";

declare const WebAssembly: Compiler;

describe("the compiled scanner", () => {
	it("is done without where nothing can be compiled", () => {
		expect(openScanner(undefined)).toBeUndefined();
	});

	it("is done without where the processor lacks what it needs", () => {
		const Module = class {
			constructor() {
				throw new Error("wasm SIMD unsupported");
			}
		};
		expect(openScanner({ ...WebAssembly, Module })).toBeUndefined();
	});

	it("takes texts of any length up to 16 MiB, and leaves longer ones to others", () => {
		const scanner = openScanner(WebAssembly);
		const text = (bytes: number) => Buffer.from(`"${"a".repeat(bytes - 2)}"`);
		for (const bytes of [10, 200_000, 16 * 1024 * 1024]) {
			expect(scanner?.layOut(text(bytes))).toBe(true);
			expect(scanner?.scanValue(0)).toBe(bytes);
		}
		expect(scanner?.layOut(text(16 * 1024 * 1024 + 1))).toBe(false);
	});
});
