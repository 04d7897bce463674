// Faults of the network, and of the server's process.
import type { Row } from "./row.ts";
import { HOST, sleep } from "./stage.ts";

/** Longer than --stale-after, and than any heartbeat. */
const LONG_MS = 2_500;

export const NETWORK_ROWS: readonly Row[] = [
	{
		fault: "server killed and restarted",
		async act(stage) {
			for (let times = 0; times < 2; times++) {
				await stage.server.kill();
				await sleep(400);
				await stage.server.start();
				await stage.flow(30);
			}
		},
	},
	{
		fault: "server hung (SIGSTOP)",
		async act({ server }) {
			server.signal("SIGSTOP");
			await sleep(LONG_MS);
			server.signal("SIGCONT");
			await sleep(300);
		},
	},
	{
		fault: "cut every 7 events",
		async act(stage) {
			await stage.server.control({ cutEvery: 7 });
			await stage.flow(100);
			await stage.server.control({ cutEvery: null });
		},
	},
	{
		fault: "network cut without a FIN",
		async act({ proxies }) {
			for (const proxy of proxies) proxy.swallow();
			await sleep(LONG_MS);
			for (const proxy of proxies) proxy.isSwallowing = false;
		},
	},
	{
		fault: "half-open sockets",
		async act(stage) {
			for (let times = 0; times < 2; times++) {
				for (const proxy of stage.proxies) proxy.halfOpen();
				await stage.flow(60);
			}
		},
	},
	{
		fault: "a proxy that buffers SSE",
		isFree: true,
		skip: {
			poll: "an answer to a poll is no stream of events",
			webhook: "a delivery is no stream of events",
		},
		async act(stage) {
			stage.front.isBuffering = true;
			await stage.server.control({ cut: true });
			await stage.flow(60);
		},
	},
	{
		fault: "a proxy that cuts idle connections",
		behaviour: { heartbeatMs: 10_000 },
		args: ["--stale-after", "20s"],
		async act(stage) {
			await stage.server.control({ paused: true });
			for (const proxy of stage.proxies) {
				proxy.idleMs = 200;
				proxy.cut();
			}
			await sleep(1_500);
			await stage.server.control({ paused: false, everyMs: 300 });
			await stage.flow(8);
		},
	},
	{
		fault: "DNS that stops answering",
		isNamed: true,
		behaviour: { ttlMs: 3_000 },
		async act(stage) {
			stage.names?.answers.set(HOST, "silence");
			for (const proxy of stage.proxies) proxy.cut();
			await sleep(4_000);
			stage.names?.answers.set(HOST, ["127.0.0.1"]);
			await stage.flow(30);
		},
	},
	{
		fault: "429 for 4 s, Retry-After: 1",
		behaviour: { ttlMs: 4_000 },
		async act(stage) {
			await stage.server.control({ refuses: 429, cut: true });
			await sleep(4_000);
			await stage.server.control({ refuses: null });
			await stage.flow(20);
		},
	},
];
