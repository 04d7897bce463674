import { expect, it } from "vitest";
import { openTo } from "./harness.ts";

it.each([
	[
		"credentials in the URL",
		{ url: "https://me:secret@host.example/mcp" },
		/--header/,
	],
	["a user in the URL", { url: "https://secret@host.example/mcp" }, /--header/],
	["another scheme", { url: "ftp://host.example/" }, /https:\/\//],
	[
		"a broken header",
		{
			url: "https://host.example/",
			headers: [["X-A", "secret\n"]] as [string, string][],
		},
		/--header/,
	],
	[
		"a broken token",
		{ url: "https://host.example/", bearer: "secret\n" },
		/--bearer-env/,
	],
	[
		"no certificate in --ca",
		{ url: "https://host.example/", ca: "secret" },
		/--ca/,
	],
	[
		"a proxy that we do not know",
		{ url: "https://host.example/", env: { https_proxy: "socks5://secret:1" } },
		/https_proxy/,
	],
])(
	"%s is wrong use, told before anything is sent and without the secret",
	async (_what, target, next) => {
		const fault = await openTo(target).then(
			() => undefined,
			(error) => error,
		);
		expect(fault).toMatchObject({
			code: "wrong-use",
			exitStatus: 2,
			next: expect.stringMatching(next),
		});
		expect(JSON.stringify({ ...fault, message: fault.message })).not.toContain(
			"secret",
		);
	},
);

it("the label shows neither query values nor a fragment", async () => {
	const { label, kind } = await openTo({
		url: "https://host.example/mcp?key=secret#secret",
	});
	expect({ label, kind }).toEqual({
		label: "https://host.example/mcp?key=***#***",
		kind: "http",
	});
});
