// Runs the blocks of one section of a page as a reader would: in a folder of its own, with an empty home, one command
// after the other; what goes on is stopped with ^C when the section is over.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { openShop } from "../fixtures/servers/shop.ts";
import { freePort } from "./free-port.ts";
import {
	isAsShown,
	type PageBlock,
	type PageCommand,
	type PageSection,
	steady,
} from "./page-blocks.ts";
import { BINARY } from "./run-cli.ts";
import { startShell } from "./run-shell.ts";
import { openTextCollector, type TextCollector } from "./text-collector.ts";

const DEADLINE_MS = 60_000;
/** Ports that pages name. */
const PORTS = ["8931", "8932", "8787", "3000"];
const SHOP = "https://shop.example/mcp";

/** A command as it went. */
export interface CommandRun {
	command: PageCommand;
	status: number | undefined;
	expected: number;
	/** What it showed, with the addresses of the page. */
	shown: string[];
	isAsShown: boolean;
}

interface Place {
	folder: string;
	placed(text: string): string;
	unplaced(text: string): string;
}

/** Runs the section to its end. */
export async function runSection({
	blocks,
}: PageSection): Promise<CommandRun[]> {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-events-page-")));
	const shop = await openShop();
	const free = await Promise.all(PORTS.map(freePort));
	const own = free.map(String);
	const start = `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`;
	writeFileSync(join(folder, "mcp-events"), start, { mode: 0o755 });
	const place: Place = {
		folder,
		placed: (text) => swap(text, PORTS, own).replaceAll(SHOP, shop.url),
		unplaced: (text) => swap(text.replaceAll(shop.url, SHOP), own, PORTS),
	};
	const going: Going[] = [];
	try {
		const runs: CommandRun[] = [];
		for (const block of blocks)
			runs.push(...(await runBlock(block, place, going)));
		for (const each of going.toReversed()) await each.stop();
		return runs;
	} finally {
		for (const each of going) each.close();
		await shop.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** All at once: a number that was put in is not taken for another. */
const swap = (text: string, from: readonly string[], to: readonly string[]) =>
	text.replace(/\b\d{4,5}\b/g, (number) => to[from.indexOf(number)] ?? number);

interface Going {
	stop(): Promise<void>;
	close(): void;
}

async function runBlock(
	block: PageBlock,
	place: Place,
	going: Going[],
): Promise<CommandRun[]> {
	if (block.file)
		writeFileSync(
			join(place.folder, block.file.name),
			place.placed(block.file.text),
		);
	const runs: CommandRun[] = [];
	for (const [at, command] of block.commands.entries()) {
		const isLast = at === block.commands.length - 1;
		const run: CommandRun = {
			command,
			status: undefined,
			expected: 0,
			shown: [],
			isAsShown: true,
		};
		if (isLast) run.expected = block.status ?? (block.isBackground ? 130 : 0);
		runs.push(run);
		if (isLast && block.isBackground) going.push(await goOn(run, place));
		else await type(run, place);
	}
	return runs;
}

const scriptOf = (line: string, { folder, placed }: Place) => `
	exec 2>&1; cd '${folder}'; export HOME='${folder}' XDG_STATE_HOME='${folder}/state' PATH='${folder}':"$PATH"
	set -o pipefail; trap : INT
	${placed(line)}
	exit $?`;

function open(run: CommandRun, place: Place) {
	const shell = startShell(scriptOf(run.command.line, place), []);
	const output = openTextCollector(shell.stdout);
	const finish = async () => {
		run.status = await shell.status;
		run.shown = linesOf(output, place);
		run.isAsShown = isAsShown(run.command.shown, run.shown);
	};
	return { shell, output, finish };
}

async function type(run: CommandRun, place: Place): Promise<void> {
	const { shell, finish } = open(run, place);
	const timer = setTimeout(() => shell.close(), DEADLINE_MS);
	await finish();
	clearTimeout(timer);
}

/** Starts what goes on, and waits for it to say that it is ready, else for the first line that the page has of it. */
async function goOn(run: CommandRun, place: Place): Promise<Going> {
	const { shell, output, finish } = open(run, place);
	const shown = run.command.shown ?? [];
	const first =
		shown.find((line) => line.includes(": ready, ")) ??
		shown.find((line) => line !== "...");
	const isUp = () => {
		const lines = linesOf(output, place).map(steady);
		return first === undefined
			? / at http|receives at|ready/.test(lines.join("\n"))
			: lines.includes(steady(first));
	};
	// What it says when it is stopped is yet to come.
	const awaited = shown
		.filter((line) => line !== "..." && !line.includes(": stopped"))
		.map(steady);
	const isAll = () => {
		const lines = linesOf(output, place).map(steady);
		return awaited.every((line) => lines.includes(line));
	};
	let isOver = false;
	shell.status.finally(() => {
		isOver = true;
	});
	const until = (is: () => boolean) =>
		vi.waitUntil(() => is() || isOver, { timeout: 20_000 }).catch(() => {});
	await until(isUp);
	return {
		async stop() {
			await until(isAll);
			if (!isOver) interrupt(shell.pid);
			await finish();
			// It may have come to its end by itself.
			if (run.status === 0 && run.expected === 130) run.expected = 0;
		},
		close: () => shell.close(),
	};
}

/** ^C goes to all that the shell has started. */
function interrupt(pid: number): void {
	try {
		process.kill(-pid, "SIGINT");
	} catch {
		// It ended just now.
	}
}

const linesOf = (output: TextCollector, { unplaced }: Place) => {
	const text = unplaced(output.text);
	return text === "" ? [] : text.replace(/\n$/, "").split("\n");
};
