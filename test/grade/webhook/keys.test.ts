// What a server makes of keys, ids and leases, and how it tells of their ends: by a server that is bent for it.
import { describe, expect, it } from "vitest";
import {
	type Bend,
	both,
	controls,
	FULL,
	gradeBent,
	INVALID,
	NOT_FOUND,
	on,
	onSubscribe,
	onUnsubscribe,
	PUBLIC,
	success,
} from "./bent-double.ts";

const right: Bend = (_asked, answer) => answer();

/** Answers the nth subscribe, from 0, in place of the rules; undefined leaves it to them. */
const each = (tell: (nth: number) => unknown) => {
	let nth = 0;
	return onSubscribe(() => tell(nth++));
};
const ids = () => each((nth) => success({ id: `a${nth}` }));

describe("what tells two keys apart", () => {
	const ROW = "subscribe-key-composition";
	const also = ["subscribe-idempotent-upsert"];
	const oneType = on("events/list", (_asked, answer) => {
		const { result } = answer();
		return success({ ...result, events: [result.events[0]] });
	});
	it.concurrent.each<[string, () => Bend, RegExp]>([
		[
			"the URL, the name and the arguments",
			() => right,
			/^SUCCESS .*another URL, another name, other arguments, the same arguments in another order: 4 ids/,
		],
		[
			"all but the name, where there is one",
			() => oneType,
			/^SUCCESS .*another URL, other arguments/,
		],
		[
			"ids that never last",
			ids,
			/^SUCCESS .*another URL, another name, other arguments: 4 ids/,
		],
		[
			"as far as there is room",
			() => each((nth) => (nth < 3 ? undefined : FULL)),
			/^SUCCESS .*another URL: 2 ids/,
		],
		[
			"nothing, where there is no room",
			() => each((nth) => (nth < 1 ? undefined : FULL)),
			/^UNTESTABLE .*room for one more/,
		],
		[
			"nothing, where another URL has no id",
			() => each((nth) => (nth < 1 ? undefined : success())),
			/^UNTESTABLE .*with an id/,
		],
		[
			"nothing at all",
			() => each(() => success({ id: "a" })),
			/^FAILURE .*another URL has the id/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent(ROW, bend(), { ...PUBLIC, also })).toMatch(told);
	});

	it("leaves the first subscription as it is where nothing can be compared", async () => {
		const bend = each((nth) => (nth < 1 ? undefined : success()));
		const wish = { ...PUBLIC, also: [ROW], waits: { occurrenceMs: 50 } };
		const found = await gradeBent("unsubscribe-by-key", bend, wish);
		expect(found).toMatch(/^SUCCESS /);
	});

	it("leaves the first subscription as it is", async () => {
		const ended: unknown[] = [];
		const left = onUnsubscribe(({ params }) => {
			ended.push(params.delivery.url);
		});
		const begun: unknown[] = [];
		const come = onSubscribe(({ params }) => {
			begun.push(params.delivery.url);
		});
		await gradeBent(ROW, both(left, come), PUBLIC);
		// The first is the last to go, with the run.
		expect(ended.at(-1)).toBe(begun[0]);
		expect(ended.indexOf(begun[0])).toBe(ended.length - 1);
	});
});

describe("an id", () => {
	const ROW = "subscribe-id-not-an-input";
	/** An unsubscribe by the id ends what it names, and the next one of its own key is answered so. */
	const endsById = (answer: unknown) => {
		let isEnded = false;
		return onUnsubscribe(({ params }) => {
			if (params.id === undefined) return isEnded ? answer : undefined;
			isEnded = true;
			return success();
		});
	};
	it.concurrent.each<[string, () => Bend, RegExp]>([
		["that addresses nothing", () => right, /^SUCCESS /],
		["that ends what it names", () => endsById(NOT_FOUND), /^FAILURE /],
		[
			"after which nothing else can be ended",
			() => endsById(INVALID),
			/^SUCCESS /,
		],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent(ROW, bend(), PUBLIC)).toMatch(told);
	});
});

/** Grants in minutes, or without an end, in the order in which they are asked for from the second on. */
const granting = (...leases: (number | null)[]) =>
	each((nth) => {
		const minutes = nth === 0 ? 60 : leases[nth - 1];
		if (minutes === undefined) return undefined;
		const end =
			minutes === null ? undefined : new Date(Date.now() + minutes * 60_000);
		return success({ id: "a", refreshBefore: end?.toISOString() ?? null });
	});

describe("a lease that is refreshed", () => {
	const ROW = "ttl-refresh-regrants";
	const waits = { regrantMs: 1 };
	it.concurrent.each<[string, () => Bend, RegExp]>([
		[
			"has the length of each wish",
			() => granting(20, 50, 10, 60),
			/^SUCCESS .*Z"$/,
		],
		[
			"ends where it was endless",
			() => granting(20, 50, 10, null, 10),
			/^SUCCESS .*an endless one became finite/,
		],
		[
			"stays endless",
			() => granting(20, 50, 10, null, null),
			/^FAILURE .*endless/,
		],
		[
			"keeps what was longer",
			() => granting(20, 50, 50),
			/^FAILURE .*still counts/,
		],
		["never has an end", () => granting(null, null, null), /^UNTESTABLE /],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent(ROW, bend(), { ...PUBLIC, waits })).toMatch(told);
	});
});

describe("an unsubscribe of what never was", () => {
	const ROW = "unsubscribe-unknown-not-found";
	it.concurrent.each<["final" | "chatgpt", unknown, string]>([
		["final", NOT_FOUND, "SUCCESS"],
		["final", INVALID, "WARNING"],
		["final", success(), "FAILURE"],
		["chatgpt", success(), "SUCCESS"],
		["chatgpt", NOT_FOUND, "WARNING"],
	])("in the profile %s: %o", async (profile, answer, verdict) => {
		const found = await gradeBent(
			ROW,
			onUnsubscribe(() => answer),
			{ ...PUBLIC, profile },
		);
		expect(found).toMatch(new RegExp(`^${verdict} `));
	});
});

const stateOf = (...words: (string | undefined)[]) => {
	let nth = 0;
	return controls({
		webhook_terminate: "ended",
		subscription_state: () => words[Math.min(nth++, words.length - 1)],
	});
};

describe("a subscription after its own unsubscribe", () => {
	const ROW = "unsubscribe-by-key";
	const waits = { afterCancelMs: 400, occurrenceMs: 50, quietMs: 300 };
	it.concurrent.each<[string, () => Bend, RegExp]>([
		["is absent", () => stateOf("absent"), /^SUCCESS .*is absent/],
		[
			"is absent soon",
			() => stateOf("active", "absent"),
			/^SUCCESS .*is absent/,
		],
		["stays", () => stateOf("active"), /^FAILURE .*is active/],
		[
			"is not told of",
			() => stateOf(undefined),
			/^SUCCESS .*could not be seen/,
		],
		[
			"has no id to be told of by",
			() =>
				both(
					stateOf("active"),
					each(() => success()),
					onUnsubscribe(() => success()),
				),
			/^SUCCESS .*could not be seen/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent(ROW, bend(), { ...PUBLIC, waits })).toMatch(told);
	});

	/** Sends events to a subscription, until its end or for ever. */
	async function deliver(hasEnd: boolean): Promise<string> {
		const timers = new Set<NodeJS.Timeout>();
		const stop = () => timers.forEach(clearInterval);
		const sending = onSubscribe(({ params }) => {
			const send = () => {
				const body = JSON.stringify({ eventId: String(Math.random()) });
				fetch(params.delivery.url, { method: "POST", body }).catch(() => {});
			};
			timers.add(setInterval(send, 20));
			return success({ id: "a" });
		});
		const ending = onUnsubscribe(() => {
			if (hasEnd) stop();
			return success();
		});
		const patient = { waits: { ...waits, occurrenceMs: 5_000 } };
		return await gradeBent(ROW, both(sending, ending), patient).finally(stop);
	}

	it.concurrent.each([
		[true, /^SUCCESS .*nothing was delivered in/],
		[false, /^FAILURE .*deliveries went on/],
	])("is heard of no more: %s", async (hasEnd, told) => {
		expect(await deliver(hasEnd)).toMatch(told);
	});
});

describe("the same key after its end", () => {
	const ROW = "subscribe-after-termination";
	const waits = { terminatedMs: 100, activeMs: 100 };
	it.concurrent.each<[string, () => Bend, RegExp]>([
		["lives again", () => stateOf("absent", "active"), /^SUCCESS .*active/],
		[
			"lives again, as far as is told",
			() => stateOf(undefined),
			/^SUCCESS .*with the id that it had/,
		],
		[
			"is still dead",
			() => stateOf("absent"),
			/^FAILURE .*its state is absent/,
		],
		[
			"was never ended",
			() => stateOf("active"),
			/^UNTESTABLE .*the state still is active/,
		],
		[
			"has another id",
			() => both(stateOf("absent", "active"), ids()),
			/^FAILURE .*the id was/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await gradeBent(ROW, bend(), { ...PUBLIC, waits })).toMatch(told);
	});
});
