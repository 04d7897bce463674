import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readPublicUrl } from "../../src/tunnel/command.ts";
import { openTunnel, parseTunnelCommand } from "../../src/tunnel/index.ts";
import { makePieces } from "./tunnel-pieces.ts";

const FAKE = join(
	dirname(fileURLToPath(import.meta.url)),
	"../fixtures/programs/fake-ngrok.mjs",
);

describe("a command for a tunnel", () => {
	it.each([
		["lt --port {port}", ["lt", "--port", "8080"]],
		["a 'b c' \"d 'e'\" f\\ g", ["a", "b c", "d 'e'", "f g"]],
		[
			"ssh -R 80:localhost:{port} nokey@localhost.run",
			["ssh", "-R", "80:localhost:8080", "nokey@localhost.run"],
		],
		["a '' --x=\"$HOME;{port}\"", ["a", "", "--x=$HOME;8080"]],
		["ngrok http {port}", ["ngrok", "http", "8080", "--log=stdout"]],
		[
			"ngrok http {port} --log stderr",
			["ngrok", "http", "8080", "--log", "stderr"],
		],
	])("%s is cut into words without a shell", (template, words) => {
		const { command, args } = parseTunnelCommand(template, 8080);
		expect([command, ...args]).toEqual(words);
	});

	it.each(["", "   ", "ngrok 'http", 'a "b', "a b\\"])(
		"%j is wrong use",
		(template) => {
			expect(() => parseTunnelCommand(template, 1)).toThrow(
				expect.objectContaining({ code: "wrong-use" }),
			);
		},
	);

	it.each([
		[
			"Forwarding  https://ab.ngrok.io -> http://localhost:1",
			"https://ab.ngrok.io",
		],
		["your url is: https://big-cat-1.loca.lt", "https://big-cat-1.loca.lt"],
		[
			"ab.lhr.life tunneled with tls termination, https://ab.lhr.life.",
			"https://ab.lhr.life",
		],
		["\u001b[32mhttps://me.tail1.ts.net/\u001b[0m", "https://me.tail1.ts.net"],
		[
			"(https://x.share.zrok.io:8443/base/)",
			"https://x.share.zrok.io:8443/base",
		],
		[
			"see https://docs.zrok.io then https://y.share.zrok.io",
			"https://y.share.zrok.io",
		],
	])("finds the address in %j", (line, url) => {
		expect(readPublicUrl()(line)).toBe(url);
	});

	it.each([
		"https://dashboard.ngrok.com/get-started",
		"https://api.trycloudflare.com/tunnel",
		"https://developers.cloudflare.com/x",
		"https://login.tailscale.com/f/funnel?node=1",
		"https://localhost.run/docs/ https://admin.localhost.run/",
		"https://localhost:4040 https://127.0.0.1:80 http://plain.example",
		"https://. https://- https://a..b",
	])("takes no page of a service, and nothing local, for it: %s", (line) => {
		expect(readPublicUrl()(line)).toBeUndefined();
	});
});

describe("a tunnel by a command", () => {
	it.each(["", " --log-format=json"])(
		"is open once it says its address%s",
		async (more) => {
			await using tunnel = await openTunnel(
				{ kind: "command", template: `'${FAKE}' http {port}${more}` },
				8080,
				makePieces(),
			);
			expect(tunnel.url).toBe("https://to-8080.ngrok-free.app");
		},
	);

	it("that fails is told with its last words", async () => {
		const opening = openTunnel(
			{ kind: "command", template: `'${FAKE}' fail --authtoken s3cret` },
			8080,
			makePieces(),
		);
		await expect(opening).rejects.toMatchObject({
			code: "tunnel-failed",
			what: expect.not.stringContaining("s3cret"),
			why: expect.stringContaining("authentication failed"),
		});
	});
});
