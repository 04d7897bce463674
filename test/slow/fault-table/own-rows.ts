// Faults of our own side: our process, its disk, and whoever reads it.
import { execFileSync, spawnSync } from "node:child_process";
import {
	closeSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	renameSync,
	rmdirSync,
	rmSync,
	symlinkSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ALL_KILLS, killAtRandom } from "./kills.ts";
import type { Row } from "./row.ts";
import { type Stage, sleep } from "./stage.ts";

const OUTAGE_MS = 2_000;

export const OWN_ROWS: readonly Row[] = [
	{
		fault: "we are stopped (SIGSTOP) for longer than two heartbeats",
		args: ["--give-up-after", "2s"],
		async act(stage) {
			stage.run?.kill("SIGSTOP");
			await sleep(3_000);
			stage.run?.kill("SIGCONT");
			await stage.flow(30);
		},
	},
	{
		fault: "stdout's reader killed",
		async act(stage) {
			// What comes after it is read by nobody.
			await stage.readAll();
			stage.run?.child.stdout?.destroy();
			await stage.server.control({ paused: false });
			const { status } = await stage.ended();
			await stage.beginAndFlow();
			return `status ${status}`;
		},
	},
	{
		fault: "/dev/full as stdout",
		async act(stage) {
			stage.run?.kill("SIGTERM");
			await stage.ended();
			const { status, stderr } = await stage.runInto("/dev/full");
			await stage.beginAndFlow();
			const words = /mcp-events: (.*stdout.*)/.exec(stderr);
			return `status ${status}: ${words?.[1] ?? "nothing"}`;
		},
	},
	{
		fault: "disk full (tmpfs)",
		...(canMount()
			? {}
			: { skip: allModes("a file system can be mounted by root alone") }),
		before({ state }) {
			mkdirSync(state);
			execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "none", state]);
		},
		async act(stage) {
			const filler = join(stage.state, "filler");
			// Again and again: what is written anew frees the room of what it replaces.
			for (let times = 0; times < 20; times++) {
				fill(filler);
				await sleep(OUTAGE_MS / 20);
			}
			rmSync(filler);
			await stage.flow(30);
			return warnings(stage);
		},
		after({ state }) {
			execFileSync("umount", ["-l", state]);
		},
	},
	{
		fault: "state folder not writable",
		// Its name leads to a file for a while.
		before({ state }) {
			mkdirSync(`${state}.real`);
			writeFileSync(`${state}.file`, "");
			symlinkSync(`${state}.real`, state);
		},
		async act(stage) {
			leadTo(`${stage.state}.file`, stage.state);
			await sleep(OUTAGE_MS);
			leadTo(`${stage.state}.real`, stage.state);
			await stage.flow(30);
			return warnings(stage);
		},
	},
	{
		fault: `kill -9 of us at random moments, ${ALL_KILLS} in all`,
		mayRepeat: (stage) => stage.mayRepeat,
		act: killAtRandom,
	},
];

/** In one step: a folder that is not there at all, if only for a moment, has lost its locks too, and that is told. */
function leadTo(target: string, name: string): void {
	symlinkSync(target, `${name}.next`);
	renameSync(`${name}.next`, name);
}

function warnings({ run }: Stage): string {
	const all = run?.stderr.text.match(/warning: .*/g) ?? [];
	return `${all.filter((line) => !line.includes("keeps to the rules")).length} warnings`;
}

function fill(path: string): void {
	const fd = openSync(path, "a");
	try {
		for (const size of [65_536, 512, 1])
			try {
				for (;;) writeSync(fd, Buffer.alloc(size));
			} catch {
				// Full, by pieces of this size.
			}
	} finally {
		closeSync(fd);
	}
}

function canMount(): boolean {
	const place = mkdtempSync(join(tmpdir(), "mcp-events-mount-"));
	const { status } = spawnSync("mount", ["-t", "tmpfs", "none", place]);
	if (status === 0) execFileSync("umount", [place]);
	rmdirSync(place);
	return status === 0;
}

function allModes(why: string): Row["skip"] {
	return { poll: why, push: why, webhook: why };
}
