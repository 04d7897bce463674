// A limit for a wait of a test: what never comes fails with what is known by then, and not by the runner's own limit.

/** What comes of `work`; after `ms` an error of `what`, which is asked only then. The work itself goes on. */
export async function within<T>(
	work: Promise<T>,
	ms: number,
	what: () => string,
): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() => reject(new Error(`after ${ms} ms: ${what()}`)),
			ms,
		);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
