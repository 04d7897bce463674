import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { readStdin, readTextValue } from "../../../src/program/flags/files.ts";

function open() {
	const stopping = new AbortController();
	return { stdin: new PassThrough(), stop: stopping.signal, stopping };
}

it("reads stdin to its end", async () => {
	const world = open();
	world.stdin.end('{"a":1}');
	expect(await readTextValue("-", "--args", world)).toBe('{"a":1}');
});

it("stops reading a stdin that does not end when it is told to stop", async () => {
	const world = open();
	world.stdin.write("{");
	const reading = readStdin(world);
	world.stopping.abort();
	await expect(reading).rejects.toThrow();
});

it("takes any other value as it stands", async () => {
	expect(await readTextValue("{}", "--args", open())).toBe("{}");
});
