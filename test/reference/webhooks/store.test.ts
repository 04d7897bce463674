// What outlives the process: after a proper end, after a kill at any moment, and after damage.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
	chmodSync,
	copyFileSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmdirSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { idOf } from "../../../src/reference/webhooks/key.ts";
import type { SubscriptionRecord } from "../../../src/reference/webhooks/record.ts";
import {
	openStore,
	type Store,
} from "../../../src/reference/webhooks/store.ts";
import { createManualClock } from "../manual-clock.ts";
import { openStorePath } from "./store-folder.ts";
import { OTHER_SECRET, owner, SECRET } from "./webhook-room.ts";

function recordOf(url: string): SubscriptionRecord {
	const key = {
		principal: "ann",
		url,
		name: "order.made",
		arguments: { region: "\u2028eu\n" },
	};
	return {
		...key,
		id: idOf(key),
		secret: SECRET,
		formerSecrets: [{ secret: OTHER_SECRET, untilMs: 5 }],
		expiresAt: null,
		cursor: "v1.run1.0",
		isSuspended: false,
		hasUntoldGap: false,
		failedSince: undefined,
	};
}

const one = recordOf("https://one.example/");
const two = recordOf("https://two.example/");
const consent = { principal: "ann", url: one.url, untilMs: 2_000_000_000_000 };

async function open(
	path: string,
	notes: string[] = [],
	clock = createManualClock(),
): Promise<Store> {
	const store = await openStore(
		{ path, owner },
		{
			clock,
			note: (text) => void notes.push(text),
			randomBytes,
		},
	);
	onTestFinished(() => store.close());
	return store;
}

const kept = ({ content }: Store) => [...content.subscriptions.values()];

/** A store with two subscriptions, closed. */
async function fill(path: string) {
	const store = await open(path);
	await store.keep({ ...one }, consent);
	await store.keep({ ...two });
	await store.close();
}

let kills = 0;

/** What a process that was killed now would leave. */
function kill(path: string): string {
	const left = `${path}.left-${++kills}`;
	copyFileSync(path, left);
	return left;
}

describe("the store", () => {
	it("has everything again, secrets and consents too, for nobody else to read", async () => {
		const path = openStorePath();
		writeFileSync(path, "");
		chmodSync(path, 0o666);
		await fill(path);
		expect(statSync(path).mode & 0o777).toBe(0o600);
		const store = await open(path);
		expect(kept(store)).toEqual([one, two]);
		expect([...store.content.verifications.values()]).toEqual([consent]);
	});

	it("has on disk what it said it has, whenever the process is killed", async () => {
		const path = openStorePath();
		const store = await open(path);
		const records = Array.from({ length: 20 }, (_, n) =>
			recordOf(`https://${n}.example/`),
		);
		await Promise.all(records.map((record) => store.keep(record)));
		await store.end(records[3]?.id ?? "");
		const after = await open(kill(path));
		expect(kept(after)).toEqual(records.toSpliced(3, 1));
	});

	it("has the position within a second", async () => {
		const path = openStorePath();
		const clock = createManualClock();
		const store = await open(path, [], clock);
		const record = { ...one };
		await store.keep(record);
		Object.assign(record, {
			cursor: "v1.run1.7",
			hasUntoldGap: true,
			failedSince: 4,
		});
		store.notePosition(record);
		await clock.advance(1_000);
		await expect.poll(() => readFileSync(path, "utf8")).toContain("v1.run1.7");
		expect(kept(await open(kill(path)))).toEqual([record]);
		expect(clock.timers).toBe(0);
	});

	it("is JSON a line, as jq reads it", async () => {
		const path = openStorePath();
		await fill(path);
		const kinds = execFileSync("jq", ["-r", ".kind"], {
			input: readFileSync(path),
		});
		expect(kinds.toString().split("\n")).toEqual([
			"webhook-store",
			"subscription",
			"verification",
			"subscription",
			"",
		]);
	});

	it("does not grow without end", async () => {
		const path = openStorePath();
		const clock = createManualClock();
		const store = await open(path, [], clock);
		const record = { ...one };
		await store.keep(record);
		for (let n = 0; n < 60; n++) {
			record.cursor = `${n}.${"x".repeat(100_000)}`;
			store.notePosition(record);
			await clock.advance(1_000);
			await store.keep(record);
		}
		expect(statSync(path).size).toBeLessThan(2.5 * 1024 * 1024);
		expect(kept(await open(kill(path)))).toEqual([record]);
	});

	it("forgets consents that have run out, and of too many the oldest", async () => {
		const clock = createManualClock();
		const store = await open(openStorePath(), [], clock);
		const untilMs = clock.now() + 1_000;
		const urls = Array.from(
			{ length: 10_001 },
			(_, n) => `https://${n}.example`,
		);
		const keep = (url: string, at: number) =>
			store.keep({ ...one }, { principal: "ann", url, untilMs: at });
		await Promise.all(urls.map((url) => keep(url, untilMs)));
		const { verifications } = store.content;
		expect(verifications.size).toBe(10_000);
		await clock.advance(1_000);
		await keep(one.url, untilMs + 1_000);
		expect([...verifications.values()].map(({ url }) => url)).toEqual([
			one.url,
		]);
	});

	it("is for one process at a time", async () => {
		const path = openStorePath();
		const store = await open(path);
		await expect(open(path)).rejects.toMatchObject({
			code: "file-failed",
			what: `the store ${path} is in use`,
			why: expect.stringContaining(`process ${process.pid} on here`),
			next: expect.stringContaining(`remove ${path}.lock`),
		});
		await store.close();
		await expect(open(path)).resolves.toBeDefined();
	});

	it("says so where it cannot be opened", async () => {
		const path = openStorePath();
		writeFileSync(path, "");
		const inside = `${path}/inside.ndjson`;
		await expect(open(inside)).rejects.toMatchObject({
			code: "file-failed",
			what: `the store ${inside} cannot be locked`,
			next: expect.stringContaining("--store PATH"),
		});
	});
});

describe("a store that was damaged", () => {
	it("loses nothing by a last line that a crash tore", async () => {
		const path = openStorePath();
		await fill(path);
		writeFileSync(
			path,
			`${readFileSync(path, "utf8")}{"kind":"end","id":"${one.id}`,
		);
		const notes: string[] = [];
		expect(kept(await open(path, notes))).toEqual([one, two]);
		expect(notes).toEqual([]);
	});

	it.each([
		[
			"a line of zeros",
			(text: string) =>
				text.replace(/\n[^\n]*verification[^\n]*\n/, "\n\0\0\0\0\n"),
			2,
		],
		[
			"half a line in the middle",
			(text: string) =>
				text.replace(`,"url":"${two.url}"`, "").replace("}\n", "}\n{\n"),
			1,
		],
		[
			"another key under an id",
			(text: string) =>
				text.replace(`"url":"${two.url}"`, '"url":"https://evil.example/"'),
			1,
		],
		[
			"a secret that is none",
			(text: string) => text.replace(SECRET, "whsec_x"),
			1,
		],
		["nothing but zeros", (text: string) => "\0".repeat(text.length), 0],
		["another program's file", () => '{"my":"notes"}\n', 0],
		["a file without a line", () => "my notes", 0],
	])(
		"by %s is set aside, told, and used as far as it can be read",
		async (_, damage, left) => {
			const path = openStorePath();
			await fill(path);
			const damaged = damage(readFileSync(path, "utf8"));
			writeFileSync(path, damaged);
			const notes: string[] = [];
			const store = await open(path, notes);
			expect(kept(store)).toHaveLength(left);
			expect(notes).toEqual([expect.stringContaining("is damaged")]);
			const aside = readdirSync(dirname(path)).find((name) =>
				name.includes(".damaged-"),
			);
			expect(readFileSync(`${dirname(path)}/${aside}`, "utf8")).toBe(damaged);
			await store.keep({ ...one });
			await store.close();
			expect(
				kept(await open(path, notes)).some(({ id }) => id === one.id),
			).toBe(true);
			expect(notes).toHaveLength(1);
		},
	);

	it("does not say that something is kept when it is not, and heals when it can be written again", async () => {
		const path = openStorePath();
		const store = await open(path);
		await store.keep({ ...one, cursor: "x".repeat(2 * 1024 * 1024) });
		// The file is due to be written anew, and something is in the way.
		mkdirSync(`${path}.new`);
		await expect(store.keep({ ...two })).rejects.toThrow("EEXIST");
		expect(kept(await open(kill(path)))).toHaveLength(1);
		rmdirSync(`${path}.new`);
		await store.keep({ ...two });
		await store.keep({ ...one });
		expect(kept(await open(kill(path)))).toEqual([one, two]);
	});
});
