// A long life, in each mode, with everything at random: counts exact, memory and handles level. SOAK_MINUTES sets how
// long it takes, 15 by default.
import { expect, it } from "vitest";
import { MODES, openStage } from "../slow/fault-table/stage.ts";
import { openSamples, sparkline, third } from "./samples.ts";
import { makeTrouble } from "./troubles.ts";

const MINUTES = Number(process.env.SOAK_MINUTES ?? 15);
const SOAK_MS = MINUTES * 60_000;
const SAMPLE_MS = Math.min(2_000, SOAK_MS / 90);
/** The last third may be so much above the second. */
const MAY_GROW = 1.1;
/** Sockets that come and go. */
const MAY_VARY = 2;

it.concurrent.for(MODES)(
	`by %s, ${MINUTES} minutes: nothing lost, nothing twice, and no more memory`,
	{ timeout: SOAK_MS + 120_000 },
	async (mode) => {
		await using stage = await openStage({
			mode,
			// One of 10 MB each twenty seconds, all the time: what it costs is not to be mistaken for growth.
			behaviour: { everyMs: 25, bigEvery: mode === "webhook" ? 0 : 800 },
			args: ["--heartbeats"],
			deadlineMs: SOAK_MS + 100_000,
		});
		const run = await stage.beginAndFlow();
		const samples = openSamples(run.child.pid ?? 0, SAMPLE_MS);
		const times = await makeTrouble(stage, Date.now() + SOAK_MS);
		samples.stop();
		const { length, last } = await stage.settle();
		const counts = stage.tally.counts(length);
		const { memory, handles } = samples;
		const mean = (values: number[]) =>
			([0, 1, 2] as const).map((nth) => Math.round(third(values, nth)));
		const { sent, printed, lost, repeated, told } = counts;
		const total = Object.values(times).reduce((sum, n) => sum + n, 0);
		process.stdout.write(
			[
				"",
				`${mode}: sent ${sent}, printed ${printed}, lost ${lost}, repeated ${repeated}, gaps told ${told}, troubles ${total}`,
				`  memory  ${sparkline(memory)}  MiB by thirds: ${mean(memory).join(" ")}`,
				`  handles ${sparkline(handles)}  by thirds: ${mean(handles).join(" ")}`,
				"",
			].join("\n"),
		);
		expect({ lost, repeated, told }, last.stderr.slice(-3_000)).toEqual({
			lost: 0,
			repeated: 0,
			told: 0,
		});
		expect(third(memory, 2)).toBeLessThanOrEqual(third(memory, 1) * MAY_GROW);
		const mostHandles = third(handles, 1) * MAY_GROW + MAY_VARY;
		expect(third(handles, 2)).toBeLessThanOrEqual(mostHandles);
	},
);
