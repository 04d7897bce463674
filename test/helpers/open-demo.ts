// The embedded server with its demo, in this process, on a free port; closed with `await using`.
import {
	openDemoSource,
	openReferenceServer,
	type ReferenceServer,
} from "../../src/reference/index.ts";
import { realClock } from "../reference/manual-clock.ts";

/** Real time, unless told otherwise; `epoch` is fixed, so that cursors of one test file are alike. */
export function openDemo(now = realClock.now): Promise<ReferenceServer> {
	const clock = { ...realClock, now };
	return openReferenceServer({
		sources: [openDemoSource({ clock, seed: "test", epoch: "test" })],
		clock,
		version: "0.0.0",
	});
}
