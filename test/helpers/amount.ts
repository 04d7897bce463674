// How much of something a slow test does. CI does what proves the rule; `npm run test:full` does all that is promised.

/** Whether all of it is asked for. */
export const isFull = process.env.TEST_FULL === "1";

/** `full` under `npm run test:full`, else `inCi`. */
export const amount = (full: number, inCi: number): number =>
	isFull ? full : inCi;
