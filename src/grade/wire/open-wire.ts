// Opens the wire to one server and shakes hands.
import { findProxy, makeConnector, safeUrl } from "../../network/index.ts";
import type { SessionTarget } from "../../session/index.ts";
import type { Shaken } from "./handshake.ts";
import { HttpWire } from "./http-wire.ts";
import type { Scribe } from "./record.ts";
import { StdioWire } from "./stdio-wire.ts";
import type { Trail } from "./trail.ts";
import type { Caller, Wire, WireClock } from "./wire.ts";

export interface OpenWireOptions {
	target: SessionTarget;
	/** Headers of the second principal. */
	secondHeaders: readonly [string, string][];
	clientInfo: object;
	timeoutMs: number;
	connectTimeoutMs: number;
	prefer: "modern" | "legacy";
	scribe: Scribe;
	clock: WireClock;
	signal: AbortSignal;
	onStderr(chunk: Buffer): void;
	atExit(act: () => void): () => void;
}

/** Reaches the server. Throws `child-not-started`; whatever else goes wrong stands in the answer of the handshake. */
export async function openWire(
	options: OpenWireOptions,
	trail: Trail,
): Promise<{ wire: Wire; shaken: Shaken }> {
	const { target } = options;
	let count = 0;
	const newId = () => `g${++count}`;
	if (target.kind === "stdio") {
		const wire = new StdioWire({ ...options, target, newId }, trail);
		return { wire, shaken: await wire.shake() };
	}
	const { url, env, ca, insecure = false, resolver } = target;
	const proxy = findProxy(url, env);
	const connector = makeConnector({
		url,
		proxy,
		ca,
		insecure,
		connectTimeoutMs: options.connectTimeoutMs,
		resolver,
	});
	const wire = new HttpWire(
		{
			...options,
			label: safeUrl(url),
			place: { url, connector, proxy },
			credentials: credentialsOf(target, options.secondHeaders),
			newId,
		},
		trail,
	);
	return { wire, shaken: await wire.shake() };
}

function credentialsOf(
	{ headers, bearer }: SessionTarget & { kind: "http" },
	second: readonly [string, string][],
): Record<Caller, Record<string, string>> {
	const first = lowerCase(headers);
	if (bearer !== undefined) first.authorization ??= `Bearer ${bearer}`;
	return { first, second: { ...first, ...lowerCase(second) }, nobody: {} };
}

function lowerCase(pairs: readonly [string, string][]): Record<string, string> {
	return Object.fromEntries(
		pairs.map(([name, value]) => [name.toLowerCase(), value]),
	);
}
