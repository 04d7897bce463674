// What else is answered beside the MCP endpoint: documents to fetch, and places that take a POST of others.
import type { IncomingHttpHeaders } from "node:http";

export interface RouteRequest {
	method: string;
	/** Without the query. */
	path: string;
	headers: IncomingHttpHeaders;
	/** The bytes as they came. */
	body: Buffer;
}

export interface RouteReply {
	status: number;
	headers: Record<string, string>;
	body: string | Buffer;
}

/**
 * A route authenticates its callers itself: bearer tokens are asked for at the MCP endpoint alone. Origin, Host, the
 * rate and the sizes have been checked before it is asked.
 */
export interface HttpRoute {
	/** `path` is without the query. A route that takes a path by POST alone may answer the other methods with 405. */
	matches(method: string, path: string): boolean;
	/** The largest body it takes; 413 above. By default that of an MCP request. */
	maxBodyBytes?: number | undefined;
	/** Never rejects for what a caller sent: that is a reply too. */
	handle(request: RouteRequest): Promise<RouteReply>;
}
