// The memory and the handles of a process over time.
import { readdirSync, readFileSync } from "node:fs";

export interface Samples {
	/** Resident memory, in MiB. */
	memory: number[];
	/** Open file descriptors. */
	handles: number[];
	/** Ends the sampling. */
	stop(): void;
}

/** Looks every `everyMs`, by what Linux tells of the process. */
export function openSamples(pid: number, everyMs: number): Samples {
	const memory: number[] = [];
	const handles: number[] = [];
	const timer = setInterval(() => {
		const status = readFileSync(`/proc/${pid}/status`, "utf8");
		memory.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
		handles.push(readdirSync(`/proc/${pid}/fd`).length);
	}, everyMs);
	return { memory, handles, stop: () => clearInterval(timer) };
}

/** The mean of the nth third of a series, from 0. */
export function third(values: readonly number[], nth: 0 | 1 | 2): number {
	const size = Math.floor(values.length / 3);
	const part = values.slice(nth * size, (nth + 1) * size);
	return part.reduce((sum, value) => sum + value, 0) / Math.max(1, part.length);
}

const BARS = "▁▂▃▄▅▆▇█";

/** A line of bars between 0 and the highest value, of at most `width` of them. */
export function sparkline(values: readonly number[], width = 90): string {
	const step = Math.max(1, values.length / width);
	const points: number[] = [];
	for (let at = 0; at < values.length; at += step) {
		const part = values.slice(Math.floor(at), Math.ceil(at + step));
		points.push(Math.max(...part));
	}
	const top = Math.max(...points, 1);
	return points
		.map((value) => BARS[Math.min(7, Math.floor((value / top) * 8))])
		.join("");
}
