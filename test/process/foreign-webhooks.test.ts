// Senders and receivers that share no code with ours: what they sign is taken, what we sign they take.
import { join } from "node:path";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { OTHER_TEXT, SECRET_TEXT } from "../fixtures/deliveries.ts";
import { openAiSdkReceiver } from "../fixtures/servers/ai-sdk-receiver.ts";
import { eventText, openListener, post } from "../helpers/open-listener.ts";
import { type CliRun, runCli } from "../helpers/run-cli.ts";

/** undefined where this Node is too old for the package: then its tests are skipped by name. */
const svix = await import("svix").catch(() => undefined);
const aiSdk = await import("@ai-sdk/mcp").catch(() => undefined);

type Sign = (id: string, at: Date, body: string) => string;

const SENDERS: [string, ((secret: string) => Sign) | undefined][] = [
	[
		"standardwebhooks",
		(secret) => (id, at, body) =>
			new StandardWebhook(secret).sign(id, at, body),
	],
	[
		"svix",
		svix &&
			((secret) => (id, at, body) =>
				new svix.Webhook(secret).sign(id, at, body)),
	],
];

/** POSTs `body` with the signature of `signed`. */
function send(
	url: string,
	sign: Sign,
	{ id, body, signed = body }: { id: string; body: string; signed?: string },
): Promise<number> {
	const at = new Date();
	const headers = [
		["content-type", "application/json"],
		["webhook-id", id],
		["webhook-timestamp", String(Math.floor(at.getTime() / 1000))],
		["webhook-signature", sign(id, at, signed)],
	] as const;
	return post(url, headers, body);
}

describe.each(SENDERS)("a sender that signs by %s", (name, signing) => {
	it.skipIf(!signing)(
		`is taken, and one of its deliveries that was changed is refused and told (skipped where ${name} cannot be imported)`,
		async () => {
			if (!signing) return;
			const listener = await openListener([]);
			const sign = signing(SECRET_TEXT);
			const body = eventText("evt_1");
			const changed = { id: "msg_1", body: `${body} `, signed: body };
			expect(await send(listener.url, sign, changed)).toBe(401);
			const byOther = signing(OTHER_TEXT);
			const stranger = { id: "msg_2", body };
			expect(await send(listener.url, byOther, stranger)).toBe(401);
			expect(await send(listener.url, sign, { id: "msg_3", body })).toBe(204);
			await listener.run.stdout.until(/evt_1.*\n/);
			const { stdout, stderr } = await listener.stop();
			expect(stdout).toBe(`${body}\n`);
			const told = stderr.match(/rejected a delivery \(401 no-match\)/g);
			expect(told).toHaveLength(2);
		},
	);
});

describe.skipIf(!aiSdk)(
	"the webhook handler of @ai-sdk/mcp (skipped where it cannot be imported)",
	() => {
		const SUBSCRIBED = {
			id: "sub_1",
			name: "orders.created",
			secret: SECRET_TEXT,
		};
		const open = () => {
			if (!aiSdk) throw new Error("skipped");
			return openAiSdkReceiver(aiSdk, SUBSCRIBED);
		};
		const statuses = ({ lines }: CliRun) =>
			lines.map((text) => JSON.parse(text).status);

		/** A listener that has taken two deliveries, and the flags by which its captures are found. */
		async function captured() {
			const listener = await openListener([]);
			for (const id of ["evt_1", "evt_2"])
				await listener.send(eventText(id), { id: `msg_${id}` });
			await listener.stop();
			const { folder } = listener;
			const secret = ["--secret-file", join(folder, "hook.secret")];
			const list = ["captures", "list", "--state", folder];
			const stdin = (await runCli([...list, "--verdict", "valid"])).stdout;
			return { stdin, secret };
		}

		it("takes what send makes with --webhook-id event, a gap and a verification too", async () => {
			const receiver = await open();
			const { secret } = await captured();
			const common = ["send", "--to", receiver.url, ...secret];
			const words = [...common, "--subscription-id", "sub_1"];
			const event = ["--event", "orders.created", "--webhook-id", "event"];
			const data = ["--data", '{"total":1.50}', "--cursor", "c7"];
			const sent = await runCli([...words, ...event, ...data]);
			expect([sent.status, statuses(sent)]).toEqual([0, [204]]);
			expect(receiver.events).toMatchObject([
				{ name: "orders.created", data: { total: 1.5 } },
			]);
			expect(receiver.cursor()).toBe("c7");
			const gap = await runCli([...words, "--type", "gap", "--cursor", "c9"]);
			expect(statuses(gap)).toEqual([204]);
			expect(receiver.gaps).toEqual(["c9"]);
			const challenge = await runCli([...words, "--type", "verification"]);
			expect(challenge.status).toBe(0);
			expect(JSON.parse(challenge.stdout).echoed).toBe(true);
			expect(receiver.errors).toEqual([]);
		});

		it.each(["signature", "timestamp", "body", "id", "header"])(
			"refuses what send makes with --corrupt %s",
			async (what) => {
				const receiver = await open();
				const { secret } = await captured();
				const common = ["send", "--to", receiver.url, ...secret];
				const event = ["--event", "orders.created", "--webhook-id", "event"];
				const words = [...common, "--subscription-id", "sub_1", ...event];
				const run = await runCli([...words, "--corrupt", what]);
				expect([run.status, statuses(run)]).toEqual([1, [401]]);
				expect(receiver.events).toEqual([]);
			},
		);

		it("takes what replay sends again, which keeps the webhook-id unless told otherwise", async () => {
			const receiver = await open();
			const { stdin, secret } = await captured();
			const words = ["replay", "-", "--to", receiver.url, ...secret];
			const kept = await runCli(words, { stdin });
			expect(statuses(kept)).toEqual([400, 400]);
			const byEvent = [...words, "--webhook-id", "event"];
			const run = await runCli(byEvent, { stdin });
			expect([run.status, statuses(run)]).toEqual([0, [204, 204]]);
			expect(receiver.events.map(({ eventId }) => eventId)).toEqual([
				"evt_1",
				"evt_2",
			]);
		});

		it("takes what listen forwards, as its sender signed it", async () => {
			const receiver = await open();
			const listener = await openListener(["--forward-to", receiver.url]);
			await listener.send(eventText("evt_1"), { id: "evt_1" });
			await listener.run.stderr.until(/forwarded evt_1 to \S+: 204/);
			expect(receiver.events).toMatchObject([{ eventId: "evt_1" }]);
			await listener.stop();
		});
	},
);
