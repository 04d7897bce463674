// The one table of exit statuses (product.md, "Exit status"). Every man page prints it; nothing else states it.

export const EXIT_STATUSES = {
	done: {
		status: 0,
		meaning:
			"done: the count was reached, --for was over and no --count was asked, or the reader closed the pipe",
	},
	no: { status: 1, meaning: "the answer is no: a check or a signature failed" },
	wrongUse: { status: 2, meaning: "wrong use" },
	unreachable: {
		status: 3,
		meaning:
			"could not reach it: DNS, refused, TLS, timeout, a redirect, 404, 405, 406, 429 and 5xx after retries, or a local file or process that failed",
	},
	notAllowed: {
		status: 4,
		meaning:
			"not allowed in: 401, 403, Forbidden (a subscription terminated with it too)",
	},
	brokenPeer: {
		status: 5,
		meaning:
			"the other side broke the protocol or does not speak Events: HTML, no JSON, a wrong id or shape, over the size limit",
	},
	tooQuiet: {
		status: 6,
		meaning:
			"--count was not reached within --for, or nothing was heard for --stale-after and --give-up-after was used up",
	},
	incomplete: { status: 7, meaning: "incomplete (check --strict)" },
	terminated: {
		status: 8,
		meaning: "the server ended the subscription (terminated, not Forbidden)",
	},
	bug: { status: 70, meaning: "our bug" },
	hangup: { status: 129, meaning: "stopped by SIGHUP" },
	interrupted: { status: 130, meaning: "stopped by ^C" },
	stopped: { status: 143, meaning: "stopped by SIGTERM" },
} as const;

export type ExitName = keyof typeof EXIT_STATUSES;
