// Which signatures `listen` takes beside the usual ones: those of a public key, and those of another time.
import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { signedHeaders } from "../fixtures/deliveries.ts";
import { eventText, openListener, post } from "../helpers/open-listener.ts";
import { runCli } from "../helpers/run-cli.ts";

const BODY = eventText("evt_1");

/** A key pair, and the public half as a JWK set in a file. */
function makeKey() {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-key-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const { publicKey, privateKey } = generateKeyPairSync("ed25519");
	const file = join(folder, "jwks.json");
	const jwk = { ...publicKey.export({ format: "jwk" }), kid: "k1" };
	writeFileSync(file, JSON.stringify({ keys: [jwk] }));
	return { file, privateKey };
}

/** Sends the body under a signature made elsewhere; returns the status. */
function postSigned(url: string, signature: string, seconds: number) {
	const headers = [
		["content-type", "application/json"],
		["webhook-id", "msg_1"],
		["webhook-timestamp", String(seconds)],
		["webhook-signature", signature],
	] as const;
	return post(url, headers, BODY);
}

describe("listen", () => {
	it("takes a v1a signature of the key that it was given, and of no other", async () => {
		const [ours, stranger] = [makeKey(), makeKey()];
		const listener = await openListener(["--public-key", ours.file]);
		const seconds = Math.floor(Date.now() / 1_000);
		const text = Buffer.from(`msg_1.${seconds}.${BODY}`);
		const v1a = ({ privateKey }: typeof ours) =>
			`v1a,${sign(null, text, privateKey).toString("base64")}`;
		expect(await postSigned(listener.url, v1a(stranger), seconds)).toBe(401);
		expect(await postSigned(listener.url, v1a(ours), seconds)).toBe(204);
		expect((await listener.stop()).lines).toEqual([BODY]);
	});

	it("takes a timestamp as far away as --tolerance says", async () => {
		const listener = await openListener(["--tolerance", "1h"]);
		const statuses: number[] = [];
		for (const minutes of [30, 90]) {
			const signedMs = Date.now() - minutes * 60_000;
			const headers = signedHeaders({ body: BODY, signedMs });
			statuses.push(await post(listener.url, headers, BODY));
		}
		expect(statuses).toEqual([204, 401]);
	});

	it("does not start with a key file that holds no key: status 2", async () => {
		const folder = mkdtempSync(join(tmpdir(), "mcp-events-key-"));
		onTestFinished(() => rmSync(folder, { recursive: true }));
		const file = join(folder, "key");
		writeFileSync(file, "no key\n");
		const run = await runCli(["listen", "--public-key", file]);
		expect(run.status).toBe(2);
		expect(run.stderr).toContain(file);
	});
});
