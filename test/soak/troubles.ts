// What may happen to a tail in a long life: each begins, lasts a moment, and is over.
import { type Stage, sleep } from "../slow/fault-table/stage.ts";

/** A whole number from 0, below `n`. */
const below = (n: number) => Math.floor(Math.random() * n);

type Trouble = (stage: Stage) => Promise<void>;

const behaving =
	(behaviour: Record<string, number | boolean>): Trouble =>
	async ({ server }) => {
		await server.control(behaviour);
		await sleep(1_000 + below(3_000));
		const undone = Object.keys(behaviour).map((name) => [name, null]);
		await server.control(Object.fromEntries(undone));
	};

const TROUBLES: Record<string, Trouble> = {
	async "server killed"({ server }) {
		await server.kill();
		await sleep(below(1_500));
		await server.start();
	},
	async "server hung"({ server }) {
		server.signal("SIGSTOP");
		await sleep(500 + below(2_500));
		server.signal("SIGCONT");
	},
	async "network cut"({ proxies }) {
		for (const proxy of proxies) proxy.swallow();
		await sleep(500 + below(2_500));
		for (const proxy of proxies) proxy.isSwallowing = false;
	},
	async "half-open"({ proxies }) {
		for (const proxy of proxies) proxy.halfOpen();
	},
	async "connections cut"({ proxies }) {
		for (const proxy of proxies) proxy.cut();
	},
	async "we are stopped"({ run }) {
		run?.kill("SIGSTOP");
		await sleep(below(2_500));
		run?.kill("SIGCONT");
	},
	"cut often": behaving({ cutEvery: 7 }),
	corrupted: behaving({ corruptEvery: 50 }),
	duplicated: behaving({ duplicate: true }),
	reordered: behaving({ reorder: true }),
	late: behaving({ lateMs: 300, spreadMs: 300 }),
	"jumping back": behaving({ jumpsBack: true }),
	"429": behaving({ refuses: 429 }),
	"503": behaving({ refuses: 503 }),
};

/** One after another at random, with a rest after each, until the time is over; returns how often each came. */
export async function makeTrouble(
	stage: Stage,
	untilMs: number,
): Promise<Record<string, number>> {
	const names = Object.keys(TROUBLES);
	const times: Record<string, number> = {};
	while (Date.now() < untilMs) {
		const name = names[below(names.length)] ?? "";
		times[name] = (times[name] ?? 0) + 1;
		await TROUBLES[name]?.(stage);
		await sleep(1_000 + below(3_000));
	}
	return times;
}
