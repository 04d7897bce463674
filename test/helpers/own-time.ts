// What work costs in time of our own: a machine that is busy with others, or stands still, makes none of it longer.

/** Begins to count; what it returns tells the milliseconds of processor time since then. */
export function startOwnTime(): () => number {
	const begun = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(begun);
		return (user + system) / 1_000;
	};
}
