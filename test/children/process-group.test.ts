// Programs that we start, with all that they start themselves.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import {
	signalGroup,
	spawnGroup,
	startGroup,
} from "../../src/children/process-group.ts";

const ENV = { PATH: process.env.PATH };
/** Says the id of a grandchild, and waits for it. */
const WITH_GRANDCHILD = ["-c", "sleep 60 & echo $!; wait"];

const isAlive = (pid: number) => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

it("a signal reaches what the program started too", async () => {
	const child = await startGroup({
		command: "sh",
		args: WITH_GRANDCHILD,
		env: ENV,
	});
	const [line] = await once(createInterface(child.stdout), "line");
	expect(isAlive(Number(line))).toBe(true);
	expect(signalGroup(child, "SIGKILL")).toBe(true);
	// The grandchild holds the pipe open for as long as it lives.
	await once(child, "close");
});

it("a program gets the environment and the folder that were named, and no other", async () => {
	const child = spawnGroup({
		command: "sh",
		args: ["-c", "echo $ONLY:$HOME:$(pwd)"],
		env: { ...ENV, ONLY: "this" },
		cwd: "/",
	});
	const [line] = await once(createInterface(child.stdout), "line");
	expect(line).toBe("this::/");
});

it("a program that is not there is told as Node tells it", async () => {
	const nowhere = { command: "no-such-program-anywhere", args: [], env: ENV };
	await expect(startGroup(nowhere)).rejects.toMatchObject({ code: "ENOENT" });
	const child = spawnGroup(nowhere);
	const [error] = await once(child, "error");
	expect(error).toMatchObject({ code: "ENOENT" });
	expect(signalGroup(child, "SIGTERM")).toBe(false);
});
