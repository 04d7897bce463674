// Callbacks that a server should refuse, subscribed while its guards are whole (events.md 6, Server-side safety).
import type { GradeContext } from "../context.ts";
import { type Canary, openCanary } from "./canary.ts";
import { openSubscriptions, type Subscribed } from "./subscriptions.ts";

export interface GuardTrial {
	url: string;
	/** What is wrong with it. */
	about: string;
	/** url: its text rules it out. address: where its host leads to does. */
	kind: "url" | "address";
	subscribed: Subscribed;
	/** Connections that it brought to a listener of ours; undefined where it does not lead to one. */
	dials: number | undefined;
}

export type GuardTrials = readonly GuardTrial[];

interface Bait {
	about: string;
	kind: GuardTrial["kind"];
	/** The address that its canary listens on; without one it leads elsewhere. */
	canaryHost?: string;
	url(port: number): string;
}

const V4 = "127.0.0.1";

/** An https URL with this host, on the port of a canary. */
const onCanary = (host: string, about: string, canaryHost = V4): Bait => ({
	...{ about, canaryHost },
	kind: "address",
	url: (port) => `https://${host}:${port}/callback`,
});

const elsewhere = (host: string, about: string): Bait => ({
	about,
	kind: "address",
	url: () => `https://${host}/callback`,
});

const BAITS: readonly Bait[] = [
	{
		about: "plain http",
		kind: "url",
		canaryHost: V4,
		url: (port) => `http://${V4}:${port}/callback`,
	},
	{ about: "no URL", kind: "url", url: () => "callback" },
	{
		about: "another scheme",
		kind: "url",
		url: () => "ftp://example.com/callback",
	},
	onCanary(V4, "loopback"),
	onCanary("localhost", "a name of loopback"),
	onCanary("127.1", "loopback, written short"),
	onCanary("2130706433", "loopback, written as one number"),
	onCanary("0x7f000001", "loopback, written in hexadecimal"),
	onCanary("0177.0.0.1", "loopback, written in octal"),
	onCanary("0.0.0.0", "the unspecified address"),
	onCanary("[::ffff:127.0.0.1]", "loopback, mapped into IPv6"),
	onCanary("[::1]", "loopback of IPv6", "::1"),
	elsewhere("10.0.0.1", "a private range"),
	elsewhere("172.16.0.1", "a private range"),
	elsewhere("192.168.0.1", "a private range"),
	elsewhere("100.64.0.1", "the range of carriers"),
	elsewhere("169.254.169.254", "the metadata address of clouds"),
	elsewhere("[fd00::1]", "a private range of IPv6"),
	elsewhere("[fe80::1]", "a link-local address of IPv6"),
	elsewhere("[64:ff9b::7f00:1]", "loopback behind a translator"),
];

/** A server that dials what it should refuse may take this long to find nobody there. */
const LONGEST_MS = 10_000;

/** Subscribes all of them at once, and gives each back. Throws Gate where there is no event type for it. */
export async function tryGuards(context: GradeContext): Promise<GuardTrials> {
	const { subjects, wire, options, waits, sleep } = context;
	const subject = await subjects.first("webhook");
	const { subscribe, releaseAll } = openSubscriptions(wire);
	const timeoutMs = Math.min(LONGEST_MS, options.timeoutMs);
	const tried = await Promise.all(
		BAITS.map(async (bait) => {
			const canary = bait.canaryHost && (await openCanary(bait.canaryHost));
			const url = bait.url(canary ? canary.port : 1);
			const subscribed = await subscribe({ subject, url, timeoutMs });
			return { bait, canary: canary || undefined, url, subscribed };
		}),
	);
	// What was taken may be called a little later.
	if (tried.some(({ subscribed }) => subscribed.result))
		await sleep(waits.canaryMs);
	await releaseAll();
	return await Promise.all(
		tried.map(async ({ bait, canary, url, subscribed }) => {
			const { about, kind } = bait;
			await canary?.close();
			return { about, kind, url, subscribed, dials: dialsOf(canary) };
		}),
	);
}

const dialsOf = (canary: Canary | undefined) => canary?.dials;
