import { expect, it } from "vitest";
import { readPrincipal } from "../../../src/program/connect/principal.ts";
import { createWorld } from "../../../src/program/process/world.ts";
import type { ServerAddress } from "../../../src/servers/index.ts";
import { temporaryFolder } from "../../state/temporary-folder.ts";

const http = (url: string): ServerAddress => ({
	kind: "http",
	url: new URL(url),
});
const command = (...words: string[]): ServerAddress => ({
	kind: "stdio",
	command: words[0] ?? "",
	args: words.slice(1),
});

const FLAGS = {
	timeout: 1_000,
	"connect-timeout": 1_000,
	insecure: false,
	force: false,
	"max-message": 1_000,
};

/** Asks with one state folder, as one user does. */
function asker() {
	const state = temporaryFolder();
	return (server: ServerAddress, header: string[] = [], more = {}) => {
		const flags = { ...FLAGS, header, state, ...more };
		const real = createWorld(process, {
			stop: new AbortController().signal,
			atExit: () => () => {},
		});
		const world = { ...real, env: { TOKEN: "abc" }, cwd: "/here", ...more };
		return readPrincipal(server, flags, world);
	};
}

it("tells two tokens at one server apart, however they are given", async () => {
	const ask = asker();
	const server = http("https://a.test/mcp");
	const one = await ask(server, ["Authorization: Bearer abc"]);
	expect(await ask(server, ["authorization: Bearer xyz"])).not.toBe(one);
	expect(await ask(server, [], { "bearer-env": "TOKEN" })).toBe(one);
	expect(await ask(server)).toBe("nobody");
});

it("tells two queries apart, which are no part of a server's name in records", async () => {
	const ask = asker();
	const one = await ask(http("https://a.test/mcp?key=1"));
	expect(await ask(http("https://a.test/mcp?key=2"))).not.toBe(one);
});

it("does not mind headers that are no credentials", async () => {
	const ask = asker();
	const server = http("https://a.test/mcp");
	expect(await ask(server, ["traceparent: 00-1"])).toBe("nobody");
});

it("tells the same relative command in two folders apart, and no other", async () => {
	const ask = asker();
	const relative = command("node", "server.js");
	const here = await ask(relative);
	expect(await ask(relative, [], { cwd: "/there" })).not.toBe(here);
	expect(await ask(command("mcp-events", "serve", "--stdio"))).toBe("nobody");
	expect(await ask(command("/bin/node", "/srv/server.js"))).toBe("nobody");
});
