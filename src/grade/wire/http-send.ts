// One HTTP request by hand, on a connection of its own: what a client library would refuse to send can be sent here.
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Connector, ProxyServer } from "../../network/index.ts";

export interface HttpPlace {
	url: URL;
	connector: Connector;
	proxy: ProxyServer | undefined;
}

export interface HttpRequest {
	verb: string;
	headers: Record<string, string>;
	body: Buffer | undefined;
}

/** Resolves to the answer, whose body is still to be read. Rejects with a fault or an error of the socket. */
export async function sendHttp(
	{ url, connector, proxy }: HttpPlace,
	{ verb, headers, body }: HttpRequest,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	const socket = await connector.connect(
		url.protocol === "https:" ? ["http/1.1"] : [],
		signal,
	);
	const isThroughProxy = proxy !== undefined && url.protocol === "http:";
	const path = `${url.pathname}${url.search}`;
	return await new Promise((resolve, reject) => {
		const request = httpRequest({
			createConnection: () => socket,
			method: verb,
			path: isThroughProxy ? `${url.origin}${path}` : path,
			headers: {
				host: url.host,
				...(isThroughProxy &&
					proxy.authorization && {
						"proxy-authorization": proxy.authorization,
					}),
				...headers,
			},
			signal,
		});
		request.on("error", (error) => {
			socket.destroy();
			reject(error);
		});
		request.once("response", (answer) => {
			// Whoever reads it is told by its own loop; without a listener a late error would be unhandled.
			answer.on("error", () => {});
			resolve(answer);
		});
		request.end(body);
	});
}

/** Lower-case names, several values joined by ", ". */
export function headersOf(answer: IncomingMessage): Record<string, string> {
	const joined: Record<string, string> = {};
	for (const [name, value] of Object.entries(answer.headers))
		if (value !== undefined)
			joined[name] = Array.isArray(value) ? value.join(", ") : value;
	return joined;
}

export function isEventStream(headers: Record<string, string>): boolean {
	const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
	return type === "text/event-stream";
}
