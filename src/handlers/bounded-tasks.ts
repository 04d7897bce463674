// Tasks that deliveries set off, within bounds: so many at once, and so many, of so many bytes, that have not ended.
import { limitTasks } from "./limit-tasks.ts";

export interface TaskBounds {
	atOnce: number;
	/** How many may be under way or wait. */
	most: number;
	/** How much memory they may hold together. */
	mostBytes: number;
}

export interface BoundedTasks {
	/** How many have not ended. */
	readonly open: number;
	/** Runs the task in its turn; undefined where there is no room, and then it never runs. */
	add<T>(task: () => Promise<T>, bytes: number): Promise<T> | undefined;
}

/** Makes a queue that never grows beyond its bounds. */
export function openBoundedTasks(bounds: TaskBounds): BoundedTasks {
	const { atOnce, most, mostBytes } = bounds;
	const inTurn = limitTasks(atOnce);
	let open = 0;
	let openBytes = 0;
	const run = async <T>(task: () => Promise<T>, bytes: number): Promise<T> => {
		open++;
		openBytes += bytes;
		try {
			return await inTurn(task);
		} finally {
			open--;
			openBytes -= bytes;
		}
	};
	return {
		get open() {
			return open;
		},
		add(task, bytes) {
			const isFull = open >= most || openBytes + bytes > mostBytes;
			return isFull && open > 0 ? undefined : run(task, bytes);
		},
	};
}
