// The reference server over Streamable HTTP.
import type { AccessRule } from "../access.ts";
import {
	createPrincipals,
	type Principals,
	type PrincipalToken,
} from "../principals.ts";
import { Core } from "../rpc/core.ts";
import type { ReferenceOptions } from "../settings.ts";
import { createAdmission } from "./admission.ts";
import { openListener, type TlsIdentity } from "./listener.ts";
import {
	type Delivery,
	type DeliveryOptions,
	openDelivery,
} from "./open-delivery.ts";
import { respond, type Site } from "./respond.ts";
import type { HttpRoute } from "./routes.ts";
import { createSessions } from "./sessions.ts";
import { createUnsent, MOST_UNSENT } from "./unsent.ts";

export interface HttpOptions extends ReferenceOptions {
	/** The address to bind to; 127.0.0.1 unless told otherwise. */
	host?: string | undefined;
	/** 0, the default: any free one. */
	port?: number | undefined;
	path?: string | undefined;
	/** Speaks HTTPS, in HTTP/1.1 and HTTP/2. */
	tls?: TlsIdentity | undefined;
	/** With any, every call of the endpoint needs one of them. */
	tokens?: readonly PrincipalToken[] | undefined;
	/** Offers webhooks, to callers with a token: without `tokens` there are none. */
	delivery?: DeliveryOptions | undefined;
	/** What is answered beside the endpoint. */
	routes?: readonly HttpRoute[] | undefined;
	/** Origins of web pages that may call, besides those that this machine serves. */
	allowOrigins?: readonly string[] | undefined;
	/** Names under which a server on loopback may be called, besides those of loopback. */
	allowHosts?: readonly string[] | undefined;
	/** Calls a second of one principal, or of one address where there are none; 0 for any number. */
	rateLimit?: number | undefined;
	/** Sessions of `initialize` clients at once. */
	maxSessions?: number | undefined;
	/** Connections at once; of one address, half as many. */
	maxConnections?: number | undefined;
	/** Characters of answers that wait to be taken; of one caller a quarter. */
	maxUnsent?: number | undefined;
}

export interface ReferenceServer extends AsyncDisposable {
	readonly url: string;
	readonly port: number;
	/** Ends every stream with its final frame, then the connections, then the sources. */
	close(): Promise<void>;
}

/** How long a client may take for what was written to it before the server went. */
const FAREWELL_MS = 1_000;
const CALLS_A_SECOND = 1_000;
const MAX_CONNECTIONS = 4_096;

/** Listens until closed. Throws `address-unusable`, and `wrong-use` for options that contradict each other. */
export async function openReferenceServer(
	options: HttpOptions,
): Promise<ReferenceServer> {
	const { host = "127.0.0.1", path = "/mcp", tls } = options;
	const open = new Set<Promise<void>>();
	let isClosing = false;
	let core: Core | undefined;
	let delivery: Delivery | undefined;
	async function closeCore() {
		if (core) await core.closeSources();
		else for (const source of options.sources) await source.close();
		await delivery?.close();
	}
	try {
		const principals = createPrincipals(options.tokens ?? []);
		if (options.delivery && principals.areKnown)
			delivery = await openDelivery(options.delivery, options);
		const mayHave = accessRule(options, principals);
		core = new Core({ ...options, ...delivery?.options, mayHave });
		const routes = [...(options.routes ?? []), ...(delivery?.routes ?? [])];
		const site = createSite(options, {
			core,
			principals,
			routes,
			isClosing: () => isClosing,
		});
		const listener = await listenAt(options, core, (exchange) => {
			const answer = respond(exchange, site);
			open.add(answer);
			void answer.finally(() => open.delete(answer));
		});
		const close = async () => {
			isClosing = true;
			listener.stop();
			site.core.endStreams();
			await within(FAREWELL_MS, Promise.all(open));
			await listener.close();
			await closeCore();
		};
		let closing: Promise<void> | undefined;
		const closeOnce = () => (closing ??= close());
		const authority = `${host.includes(":") ? `[${host}]` : host}:${listener.port}`;
		return {
			url: `${tls ? "https" : "http"}://${authority}${path}`,
			port: listener.port,
			close: closeOnce,
			[Symbol.asyncDispose]: closeOnce,
		};
	} catch (fault) {
		await closeCore();
		throw fault;
	}
}

/** A store may have subscriptions of somebody whose token was taken away. The controls subscribe for whom they like. */
function accessRule(
	{ mayHave = () => true, conformanceControls }: HttpOptions,
	principals: Principals,
): AccessRule {
	if (conformanceControls || !principals.areKnown) return mayHave;
	return (principal, name, args) =>
		principal !== undefined &&
		principals.has(principal) &&
		mayHave(principal, name, args);
}

function createSite(
	options: HttpOptions,
	parts: Pick<Site, "core" | "routes" | "isClosing"> & {
		principals: Principals;
	},
): Site {
	const { principals, ...site } = parts;
	const { core } = parts;
	const { clock } = core.settings;
	const { host = "127.0.0.1", path = "/mcp" } = options;
	const sessions = createSessions(options.maxSessions ?? 1_000);
	core.onRestarted(sessions.endAll);
	return {
		...site,
		path,
		sessions,
		unsent: createUnsent(clock, options.maxUnsent ?? MOST_UNSENT),
		admission: createAdmission({
			guard: {
				host,
				allowOrigins: options.allowOrigins ?? [],
				allowHosts: options.allowHosts ?? [],
			},
			principals,
			clock,
			rateLimit: options.rateLimit ?? CALLS_A_SECOND,
		}),
	};
}

function listenAt(
	{ host = "127.0.0.1", port = 0, tls, maxConnections }: HttpOptions,
	core: Core,
	onRequest: Parameters<typeof openListener>[1],
) {
	const most = maxConnections ?? MAX_CONNECTIONS;
	return openListener(
		{
			host,
			port,
			tls,
			maxConnections: most,
			maxConnectionsPerAddress: Math.ceil(most / 2),
			maxStreams: core.settings.maxStreams,
		},
		onRequest,
	);
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const over = new Promise((resolve) => {
		timer = setTimeout(resolve, ms);
	});
	await Promise.race([work, over]);
	clearTimeout(timer);
}
