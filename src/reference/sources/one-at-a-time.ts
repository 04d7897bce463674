// A task that many may ask for, and that never runs beside itself.

/** Runs a task by turns: whoever asks during a run shares the next one. */
export function oneAtATime(task: () => Promise<void>) {
	let running: Promise<void> | undefined;
	let next: Promise<void> | undefined;
	let isStopped = false;

	function start(): Promise<void> {
		next = undefined;
		running = task().finally(() => {
			running = undefined;
		});
		return running;
	}

	return {
		run(): Promise<void> {
			if (isStopped) return Promise.resolve();
			if (!running) return start();
			next ??= running.then(() => (isStopped ? undefined : start()));
			return next;
		},
		async stop() {
			isStopped = true;
			await next;
			await running;
		},
	};
}
