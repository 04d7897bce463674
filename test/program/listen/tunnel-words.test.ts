import { describe, expect, it } from "vitest";
import {
	spellTunnelFlag,
	tunnelOf,
} from "../../../src/program/listen/tunnel-words.ts";

describe("--tunnel", () => {
	it.each([
		["--tunnel URL a.made", "--tunnel=cloudflared|URL|a.made"],
		["URL a.made --tunnel", "URL|a.made|--tunnel=cloudflared"],
		["--tunnel --port 1", "--tunnel=cloudflared|--port|1"],
		["--tunnel cloudflared URL", "--tunnel|cloudflared|URL"],
		["--tunnel ngrok_http_{port} URL", "--tunnel|ngrok http {port}|URL"],
		["--tunnel=lt URL", "--tunnel=lt|URL"],
		["--tunnel -- node --tunnel", "--tunnel=cloudflared|--|node|--tunnel"],
	])("%s", (words, spelled) => {
		const argv = words.split(" ").map((word) => word.replaceAll("_", " "));
		expect(spellTunnelFlag(argv).join("|")).toBe(spelled);
	});

	it("is a quick tunnel of Cloudflare, or a command", () => {
		expect(tunnelOf("cloudflared")).toEqual({ kind: "cloudflared" });
		const template = "lt --port {port}";
		expect(tunnelOf(template)).toEqual({ kind: "command", template });
	});
});
