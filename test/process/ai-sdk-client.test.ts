// The client of @ai-sdk/mcp, written for ChatGPT's servers and sharing no code with ours, against serve --profile chatgpt.
import {
	appendFileSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openAiSdkSubscriber } from "../fixtures/servers/ai-sdk-receiver.ts";
import { startCli } from "../helpers/run-cli.ts";

/** undefined where this Node is too old for the package: then its test is skipped by name. */
const aiSdk = await import("@ai-sdk/mcp").catch(() => undefined);

const TLS = join(import.meta.dirname, "../fixtures/tls");
const PATIENCE = { timeout: 10_000 };

async function startServer() {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-ai-sdk-"));
	const [log, store] = [join(folder, "app.log"), join(folder, "store")];
	writeFileSync(log, "");
	const callbacks = ["--allow-private-callbacks", "127.0.0.0/8"];
	const trust = ["--callback-ca", join(TLS, "ca.pem"), "--store", store];
	const manners = ["--profile", "chatgpt", "--token", "me=env:T"];
	const words = [...manners, ...callbacks, ...trust];
	const run = startCli(["serve", "file", log, ...words], { env: { T: "t" } });
	onTestFinished(() => {
		run.kill("SIGKILL");
		rmSync(folder, { recursive: true, force: true });
	});
	const [, url = ""] = await run.stderr.until(/ at (http:\S+)/);
	const stored = () => readFileSync(store, "utf8");
	return { url, stored, append: (text: string) => appendFileSync(log, text) };
}

it.skipIf(!aiSdk)(
	"@ai-sdk/mcp lists, subscribes, receives, refreshes and unsubscribes (skipped where it cannot be imported)",
	async () => {
		if (!aiSdk) return;
		const { url, append, stored } = await startServer();
		const subscriber = await openAiSdkSubscriber(aiSdk, {
			cert: readFileSync(join(TLS, "localhost.pem")),
			key: readFileSync(join(TLS, "localhost.key")),
		});
		const { kept, events, errors, store } = subscriber;
		const client = await aiSdk.createMCPClient({
			transport: { type: "http", url, headers: { authorization: "Bearer t" } },
			experimental_events: { store },
		});
		onTestFinished(() => client.close());
		const operations = client.experimental_events;
		const listed = await operations.list();
		expect(listed.events).toMatchObject([
			{ name: "file.line", delivery: ["webhook"] },
		]);
		const { id } = await operations.subscribe({
			name: "file.line",
			delivery: { mode: "webhook", url: subscriber.url },
		});
		append("one\n");
		await expect
			.poll(() => events.map(({ data }) => data.line), PATIENCE)
			.toEqual(["one"]);
		expect((await operations.refresh({ id })).id).toBe(id);
		append("two\n");
		await expect.poll(() => events.length, PATIENCE).toBe(2);
		// The cursor that it saved comes from the deliveries.
		expect([...kept.values()][0]?.cursor).toMatch(/\.8$/);
		await operations.unsubscribe({ id });
		expect(stored()).toContain(`{"kind":"end","id":"${id}"}`);
		expect([kept.size, errors]).toEqual([0, []]);
	},
);
