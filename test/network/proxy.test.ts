import { describe, expect, it } from "vitest";
import { findProxy } from "../../src/network/proxy.ts";

const find = (url: string, env: Record<string, string>) =>
	findProxy(new URL(url), env)?.url.href;
const both = { HTTPS_PROXY: "http://s:1", HTTP_PROXY: "http://p:2" };

describe("the proxy variables", () => {
	it.each([
		["https://host/", both, "http://s:1/"],
		["http://host/", both, "http://p:2/"],
		[
			"https://host/",
			{ https_proxy: "http://low:1", HTTPS_PROXY: "http://up:1" },
			"http://low:1/",
		],
		["https://host/", { HTTPS_PROXY: "s:3128" }, "http://s:3128/"],
		["https://host/", { HTTP_PROXY: "http://p:2" }, undefined],
		["https://host/", { HTTPS_PROXY: "" }, undefined],
	])("for %s with %j give %s", (url, env, proxy) => {
		expect(find(url, env as Record<string, string>)).toBe(proxy);
	});

	it.each([
		"http://localhost:8/",
		"https://a.localhost/",
		"http://127.0.0.1/",
		"http://127.9.9.9/",
		"http://[::1]/",
	])("are never used for loopback: %s", (url) => {
		expect(find(url, both)).toBeUndefined();
	});

	it.each([
		["https://host.example/", "*"],
		["https://host.example/", "a, host.example"],
		["https://host.example/", "example"],
		["https://host.example/", ".example"],
		["https://host.example/", "*.example"],
		["https://HOST.example:8443/", "host.EXAMPLE:8443"],
		["https://10.1.2.3/", "10.1.2.3"],
		["https://10.1.2.3/", "10.0.0.0/8"],
		["https://[2001:db8::1]/", "2001:db8::/32"],
		["https://[2001:db8::1]/", "[2001:db8::1]"],
	])("leave %s out by NO_PROXY=%s", (url, NO_PROXY) => {
		expect(find(url, { ...both, NO_PROXY })).toBeUndefined();
	});

	it.each([
		["https://host.example/", "ost.example"],
		["https://host.example/", "host.example:80"],
		["https://host.example/", "www.host.example"],
		["https://11.1.2.3/", "10.0.0.0/8 1.2.3 10.0.0.0/99"],
	])("do not leave %s out by NO_PROXY=%s", (url, no_proxy) => {
		expect(find(url, { ...both, no_proxy })).toBe("http://s:1/");
	});

	it("carry credentials, which are not shown", () => {
		const env = { HTTPS_PROXY: "http://me:s%20ecret@s:1" };
		const proxy = findProxy(new URL("https://host/"), env);
		expect(proxy?.authorization).toBe(
			`Basic ${Buffer.from("me:s ecret").toString("base64")}`,
		);
		expect(proxy?.label).toBe("http://s:1");
	});

	it.each(["socks5://me:secret@s:1", "http://"])(
		"that name %s are refused",
		(HTTPS_PROXY) => {
			const act = () => findProxy(new URL("https://host/"), { HTTPS_PROXY });
			expect(act).toThrow(
				expect.objectContaining({
					code: "wrong-use",
					what: expect.not.stringContaining("secret"),
				}),
			);
		},
	);
});
