// A wire to a server of a test, with what it writes down.
import { openWire } from "../../../src/grade/wire/open-wire.ts";
import { openScribe } from "../../../src/grade/wire/record.ts";
import { openTrail } from "../../../src/grade/wire/trail.ts";
import type { SessionTarget } from "../../../src/session/index.ts";
import { realClock } from "../../reference/manual-clock.ts";

export async function openTestWire(
	target: SessionTarget,
	more: { prefer?: "modern" | "legacy"; second?: [string, string][] } = {},
) {
	const trail = openTrail();
	const stop = new AbortController();
	const opened = await openWire(
		{
			target,
			secondHeaders: more.second ?? [],
			clientInfo: { name: "test", version: "0" },
			timeoutMs: 10_000,
			connectTimeoutMs: 1_000,
			prefer: more.prefer ?? "modern",
			scribe: openScribe({ now: Date.now, secrets: [], secretHeaders: [] }),
			clock: realClock,
			signal: stop.signal,
			onStderr: () => {},
			atExit: () => () => {},
		},
		trail,
	);
	return { ...opened, trail, stop };
}
