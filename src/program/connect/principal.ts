// What of the flags and of the address says who we are at a server; it leaves here only as a keyed hash.
import { randomBytes } from "node:crypto";
import { isAbsolute } from "node:path";
import type { ServerAddress } from "../../servers/index.ts";
import { type Credential, principalOf } from "../../state/index.ts";
import type { World } from "../process/world.ts";
import { type ConnectionFlags, parseHeader, readBearer } from "./connect.ts";
import { type StateFlags, stateFolder } from "./state-place.ts";

/** Headers that say who asks; others, as those of a trace, may differ from run to run. */
const TELLING =
	/auth|token|key|secret|cookie|session|password|credential|signature|tenant|account|user/i;

/** The principal of a server's records (state/principal.ts). Throws `wrong-use` or `file-failed`. */
export function readPrincipal(
	server: ServerAddress,
	flags: ConnectionFlags & StateFlags,
	world: World,
): Promise<string> {
	const folder = stateFolder(flags, world);
	const credentials =
		server.kind === "http"
			? [...inAddress(server.url), ...inHeaders(flags, world)]
			: inCommand(server, world);
	return principalOf(credentials, { folder, randomBytes });
}

/** The whole query: it is no part of what a server is called in records, and may name an account. */
function inAddress(url: URL): Credential[] {
	const query = [...url.searchParams].map(([name, value]) => ({
		name: `?${name}`,
		value,
	}));
	const { username, password } = url;
	if (username === "" && password === "") return query;
	return [...query, { name: "userinfo", value: `${username}:${password}` }];
}

function inHeaders(flags: ConnectionFlags, { env }: World): Credential[] {
	const headers = (flags.header ?? []).map((text) => parseHeader(text));
	const bearer = readBearer(flags["bearer-env"], env);
	if (bearer !== undefined) headers.push(["authorization", `Bearer ${bearer}`]);
	return headers
		.filter(([name]) => TELLING.test(name))
		.map(([name, value]) => ({ name, value }));
}

/** The same words name another program in another folder, where one of them is a relative path. */
function inCommand(
	{ command, args }: ServerAddress & { kind: "stdio" },
	{ cwd }: World,
): Credential[] {
	const isRelative = (word: string) =>
		!word.startsWith("-") && !isAbsolute(word) && /[./\\]/.test(word);
	return [command, ...args].some(isRelative)
		? [{ name: "cwd", value: cwd }]
		: [];
}
