import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Progress } from "../../../src/program/process/progress.ts";
import type { Item } from "../../../src/tail/index.ts";
import { fault } from "../../tail/run-tail.ts";

const about = (subscription: string) => ({
	...{ subscription, via: "push" as const, receivedAt: 0 },
});
const ready = (name: string): Item => ({
	...about(name),
	...{ kind: "ready", cursor: "c", first: true },
});
const broken = (name: string): Item => ({
	...about(name),
	...{ kind: "stopped", cursor: "c", fault: fault("forbidden") },
});

function open() {
	const folder = mkdtempSync(join(tmpdir(), "progress-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const readyFile = join(folder, "ready");
	const world = { pid: 7 } as ConstructorParameters<
		typeof Progress
	>[0]["world"];
	const subscriptions = ["a", "b", "c"].map((name) => ({ subscription: name }));
	const progress = new Progress(
		{ count: undefined, forMs: undefined, readyFile, world },
		() => ({ url: "u", subscriptions }),
	);
	const names = () =>
		existsSync(readyFile)
			? JSON.parse(readFileSync(readyFile, "utf8")).subscriptions
			: undefined;
	return { progress, names };
}

it.each([
	["before the others are ready", [broken("b"), ready("a"), ready("c")]],
	["after they are", [ready("a"), ready("c"), broken("b")]],
])("tells of readiness without the one that broke %s", async (_, items) => {
	const { progress, names } = open();
	await progress.observe(items.slice(0, 2));
	expect(names()).toBeUndefined();
	await progress.observe(items.slice(2));
	expect(names()).toEqual([{ subscription: "a" }, { subscription: "c" }]);
});

it("tells of none where all of them broke", async () => {
	const { progress, names } = open();
	await progress.observe(["a", "b", "c"].map(broken));
	expect(names()).toBeUndefined();
});
