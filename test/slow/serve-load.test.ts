// The built server under load, from the bench at a smaller size: whatever the pace, every event reaches everybody.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";

const BENCH = join(import.meta.dirname, "../bench/serve-load.mjs");

it("200 streams and 200 webhook subscriptions get each event once, and none is lost", async () => {
	const many = ["--streams", "200", "--subscriptions", "200"];
	const pace = ["--seconds", "10", "--once"];
	const bench = spawn(process.execPath, [BENCH, ...many, ...pace], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	onTestFinished(() => void bench.kill());
	const lines = (await text(bench.stdout)).trimEnd().split("\n");
	const steps = lines
		.map((line) => JSON.parse(line))
		.filter(({ wanted }) => wanted !== undefined);
	expect(
		steps.map(({ mode, wanted, lost, leastEvents }) => [
			...[mode, wanted, lost, leastEvents],
		]),
	).toEqual([
		["push, cold", 12_000, 0, 60],
		["push", 40_000, 0, 200],
		["webhook, cold", 600, 0, 3],
		["webhook", 2_000, 0, 10],
	]);
}, 120_000);
