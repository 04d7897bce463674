// How fast `verify` checks captured deliveries in files, beside the `standardwebhooks` package over the same files, and how
// its time and memory grow with them:
//   npm run bench:verify -- [--node NODE] [--rounds 5] [--deliveries 1000000]
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
	BENCH_OPTIONS,
	BINARY,
	compare,
	measure,
	openFolder,
	printComparison,
	round,
} from "./harness.mjs";
import { SECRET, writeDeliveries } from "./sign-deliveries.mjs";

/** About as many as `listen` puts into one file. */
const PER_FILE = 60_000;
const NUMBERS = /\d+/;

const { values } = parseArgs({
	options: {
		...BENCH_OPTIONS,
		deliveries: { type: "string", default: "1000000" },
	},
});
const { node } = values;
const rounds = Number(values.rounds);
const deliveries = Number(values.deliveries);
const folder = openFolder();
const nowMs = Date.now();
const secretFile = join(folder, "secret");
writeFileSync(secretFile, SECRET, { mode: 0o600 });

/** The line that `listen` captures for a delivery. */
function captureLine({ id, headers, body }) {
	const capture = {
		id: `cap_${nowMs.toString(36)}_0a1b2c3d_${Number(NUMBERS.exec(id)[0])}`,
		time: new Date(nowMs).toISOString(),
		subscription: "deliveries",
		method: "POST",
		path: "/hooks/deliveries",
		headers: [...headers, ["content-length", String(Buffer.byteLength(body))]],
		body,
		verdict: { kind: "valid", version: "v1", label: "hook.secret" },
		answer: { status: 204 },
	};
	return `${JSON.stringify(capture)}\n`;
}

/** A folder with so many captures. */
function writeCaptures(count) {
	const place = join(folder, String(count));
	mkdirSync(place);
	for (let at = 0; at < count; at += PER_FILE)
		writeDeliveries(join(place, `${String(at).padStart(8, "0")}.ndjson`), {
			count: Math.min(PER_FILE, count - at),
			nowMs,
			write: captureLine,
		});
	return place;
}

const product = (place) => [
	...[node, BINARY, "verify", place],
	...["--secret-file", secretFile, "--state", join(folder, "state")],
];

const place = writeCaptures(deliveries);
const package_ = join(import.meta.dirname, "package-verify.mjs");
/** Both sides print a line with the verdict for each. */
const filter = `grep -c '"valid":true'`;
const sides = [
	{ name: "mcp-events verify", words: product(place), filter },
	{
		name: "standardwebhooks",
		words: [process.execPath, package_, SECRET, String(nowMs), place],
		filter,
	},
];
printComparison(
	`verify of ${deliveries} captured deliveries`,
	await compare(sides, { rounds }),
	{ units: deliveries, node },
);

const start = await measure(product(writeCaptures(1)));
const growth = [];
for (let size = 1_000; size <= deliveries; size *= 10) {
	const files = size === deliveries ? place : writeCaptures(size);
	const { wallMs, cpuSeconds, peakMib } = await measure(product(files));
	growth.push({
		deliveries: size,
		"wall s": round(wallMs / 1_000, 2),
		"us each, start left out": round(
			((wallMs - start.wallMs) * 1_000) / size,
			1,
		),
		"CPU us each": round(((cpuSeconds - start.cpuSeconds) * 1e6) / size, 1),
		"peak MiB": Math.round(peakMib),
	});
}
console.table(growth);
