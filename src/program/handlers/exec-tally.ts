// What came of the events of a run, counted, and told at its end.

export class ExecTally {
	handled = 0;
	/** Kept for somebody to look at. */
	parked = 0;
	/** Neither: whoever sent them is to send them again. */
	left = 0;
	/** Acted on, or parked, before, or by another run that goes on. */
	repeated = 0;

	/** In words, and whether anything in them is bad news. */
	words(): { text: string; isBad: boolean } {
		const { handled, parked, left, repeated } = this;
		const parts = [
			`${handled} handled`,
			parked > 0 ? `${parked} parked (see them: mcp-events captures list)` : "",
			left > 0 ? `${left} left for the next run` : "",
			repeated > 0 ? `${repeated} not handed on again` : "",
		].filter((part) => part !== "");
		return { text: `--exec: ${parts.join(", ")}`, isBad: parked + left > 0 };
	}
}
