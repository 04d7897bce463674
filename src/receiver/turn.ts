// What comes in within one turn of the event loop goes on together at its end: one kind of work done many times over is
// done in much less time than all kinds in turn, each of which pushes the code of the others out of the processor's memory.

/** Makes a function that resolves at the end of this turn, in the order in which it was called. */
export function makeTurnEnd(): () => Promise<void> {
	let end: Promise<void> | undefined;
	return () => {
		end ??= new Promise((resolve) =>
			setImmediate(() => {
				end = undefined;
				resolve();
			}),
		);
		return end;
	};
}
