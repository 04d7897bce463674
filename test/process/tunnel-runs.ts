// Starts listen through a tunnel, with what it is reached by: a stand-in for cloudflared, and a server that must be given
// https.
import { onTestFinished } from "vitest";
import { openWebhookSender } from "../fixtures/servers/webhook-sender.ts";
import { openFakeRuns } from "../helpers/fake-cloudflared.ts";
import { startCli } from "../helpers/run-cli.ts";

/** `modes`: what each run of the stand-in does. */
export async function startListenThrough(modes: string, words: string[] = []) {
	const runs = openFakeRuns(modes);
	const { reach } = runs;
	const sender = await openWebhookSender({ onlyHttps: true, reach });
	onTestFinished(async () => {
		await sender.close();
		runs.remove();
	});
	const asked = (method: string) =>
		sender.asked.filter((one) => one.method === `events/${method}`);
	const run = startCli(
		["listen", sender.url, "orders.created", "--tunnel", ...words],
		{ env: runs.env, deadlineMs: 20_000 },
	);
	const urls = (method: string) =>
		asked(method).map(({ params }) => new URL(params.delivery.url).origin);
	return { runs, sender, run, urls };
}

/** The name that a run prints. */
export const nameOf = (number: number) =>
	`https://held-for-run-${number}.trycloudflare.com`;
export const readyAt = (number: number) =>
	new RegExp(`ready, by webhook at ${nameOf(number)}/hooks/`);
