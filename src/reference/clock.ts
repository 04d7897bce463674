// Time as the server sees it, handed in: what the clock says, and a way to be called later.

export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	/** Calls `act` once after `ms`; returns the way to call it off. */
	setTimer(act: () => void, ms: number): () => void;
}

/** Calls `act` every `ms` until the returned function is called. */
export function repeat(clock: Clock, ms: number, act: () => void): () => void {
	let stopped = false;
	let cancel = () => {};
	const arm = () => {
		cancel = clock.setTimer(() => {
			act();
			if (!stopped) arm();
		}, ms);
	};
	arm();
	return () => {
		stopped = true;
		cancel();
	};
}
