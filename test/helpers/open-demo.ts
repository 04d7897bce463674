// The embedded server with its demo, in this process, on a free port; closed with `await using`.
import {
	openDemoSource,
	openReferenceServer,
	type ReferenceServer,
} from "../../src/reference/index.ts";

/** Real time, unless told otherwise; `epoch` is fixed, so that cursors of one test file are alike. */
export function openDemo(now = Date.now): Promise<ReferenceServer> {
	const clock = {
		now,
		setTimer(act: () => void, ms: number) {
			const timer = setTimeout(act, ms);
			return () => clearTimeout(timer);
		},
	};
	return openReferenceServer({
		sources: [openDemoSource({ clock, seed: "test", epoch: "test" })],
		clock,
		version: "0.0.0",
	});
}
