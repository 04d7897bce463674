import { describe, expect, it } from "vitest";
import { dangersOf } from "../../../src/program/serve/dangers.ts";
import type { ServeOptions } from "../../../src/program/serve/options.ts";
import { isLoopback } from "../../../src/reference/index.ts";

type Bend = Partial<Pick<ServeOptions, "tokens" | "faults" | "overStdio">> & {
	host?: string;
	tls?: { cert: string; key: string };
	callbacks?: Partial<ServeOptions["callbacks"]>;
	controls?: boolean;
};

const dangers = ({ host = "127.0.0.1", tls, controls, ...bend }: Bend) =>
	dangersOf(
		{
			sources: [],
			overStdio: false,
			tokens: [],
			faults: [],
			readyFile: undefined,
			webhooks: {
				store: undefined,
				retryDelaysMs: undefined,
				suspendAfterMs: undefined,
				dropAfterMs: undefined,
				defaultTtlMs: undefined,
				floorTtlMs: undefined,
				ceilingTtlMs: undefined,
				maxSubscriptions: undefined,
				webhookId: undefined,
				signEd25519: undefined,
			},
			...bend,
			http: {
				host,
				tls,
				port: 0,
				path: "/mcp",
				allowOrigins: [],
				allowHosts: [],
				rateLimit: undefined,
				maxConnections: undefined,
			},
			callbacks: {
				allow: [],
				allowPrivate: [],
				ca: undefined,
				resolver: undefined,
				...bend.callbacks,
			},
			served: { profile: undefined, conformanceControls: controls },
		},
		isLoopback,
	);

const tls = { cert: "c", key: "k" };

describe("what whoever starts a server is told whether asked or not", () => {
	it.each<[string, Bend, RegExp[]]>([
		["nothing on loopback", {}, []],
		["nothing on the other loopback", { host: "::1" }, []],
		["nothing of hosts over stdio", { host: "0.0.0.0", overStdio: true }, []],
		[
			"that anybody may call",
			{ host: "0.0.0.0" },
			[/nobody is asked for a token/],
		],
		[
			"that tokens can be read on the way",
			{ host: "::", tokens: ["a=b"] },
			[/other machines/, /in the clear/],
		],
		[
			"that others can reach it",
			{ host: "192.0.2.1", tokens: ["a=b"], tls },
			[/other machines/],
		],
		[
			"that callbacks may be private",
			{ callbacks: { allowPrivate: ["10.0.0.0/8"] } },
			[/10\.0\.0\.0\/8/],
		],
		["who vouches for callbacks", { callbacks: { ca: "ca.pem" } }, [/ca\.pem/]],
		[
			"who is asked for names",
			{ callbacks: { resolver: "127.0.0.1:53" } },
			[/127\.0\.0\.1:53/],
		],
		[
			"that patterns are no danger",
			{ callbacks: { allow: ["https://x.example"] } },
			[],
		],
		[
			"that rules are broken",
			{ faults: ["drop"], controls: true },
			[/controls are on/, /on purpose: drop/],
		],
	])("%s", (_what, bend, words) => {
		const told = dangers(bend);
		expect(told).toHaveLength(words.length);
		for (const [at, word] of words.entries()) expect(told[at]).toMatch(word);
	});
});
