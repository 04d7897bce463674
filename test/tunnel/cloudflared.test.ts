import { describe, expect, it } from "vitest";
import { readQuickTunnel } from "../../src/tunnel/cloudflared.ts";

const URL_LINE = "INF |  https://big-cat.trycloudflare.com   |";
const REGISTERED =
	"INF Registered tunnel connection connIndex=0 connection=df1b8330-44ea-4ecb-bb93-8a32400f6d1c event=0 ip=198.41.200.193 location=tpe01 protocol=quic";
const OLDER =
	"INF Connection c206cf44-945f-4c3c-a85c-af60c6338dc2 registered connIndex=0 location=ORD";

describe("cloudflared's log", () => {
	it.each([
		["the name, then a connection", [URL_LINE, REGISTERED]],
		["the form of older releases", [URL_LINE, OLDER]],
		["a connection, then the name", [REGISTERED, URL_LINE]],
		[
			"a failed request before",
			[
				'ERR Post "https://api.trycloudflare.com/tunnel": EOF',
				URL_LINE,
				REGISTERED,
			],
		],
	])("is ready after %s", (_what, lines) => {
		const read = readQuickTunnel();
		const said = lines.map((line) => read(line));
		expect(said.slice(0, -1).every((one) => one === undefined)).toBe(true);
		expect(said.at(-1)).toBe("https://big-cat.trycloudflare.com");
	});

	it.each([
		["the name alone", [URL_LINE]],
		[
			"the address of the service itself",
			["https://api.trycloudflare.com/tunnel", REGISTERED],
		],
		[
			"a longer name",
			["https://big-cat.trycloudflare.com.evil.example", REGISTERED],
		],
		[
			"a lost connection",
			[URL_LINE, "INF Unregistered tunnel connection connIndex=0"],
		],
	])("is not ready after %s", (_what, lines) => {
		const read = readQuickTunnel();
		expect(lines.map((line) => read(line)).at(-1)).toBeUndefined();
	});
});
