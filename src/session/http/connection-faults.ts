// Failures of sockets, TLS and HTTP framing, told as faults by their codes and never by their texts alone.
import { Fault, type FaultCode } from "../../faults/index.ts";
import { bareHost, isLoopback, type ProxyServer } from "./proxy.ts";

interface Told {
	code: FaultCode;
	what: string;
	why: string;
	next: string;
}

/** Why no connection to the server could be made. Faults pass through. */
export function connectFault(error: unknown, url: URL): Fault {
	if (error instanceof Fault) return error;
	const cause = innermost(error);
	const code = codeOf(cause);
	const told =
		tellDns(code, url) ??
		tellRefused(code, url) ??
		tellTls(code, cause, url) ??
		tellOther(code, cause, url);
	const { code: faultCode, ...parts } = told;
	return new Fault(faultCode, { ...parts, cause: error });
}

/** Why the proxy did not let us through: an error, or the status of its answer. */
export function proxyFault(
	problem: unknown,
	{ label, variable }: ProxyServer,
): Fault {
	if (problem === 407)
		return new Fault("unauthorized", {
			what: `the proxy ${label} asks for credentials`,
			why: "it answered HTTP 407",
			next: `${variable}=http://USER:PASSWORD@PROXY:PORT, or leave it out for this host by NO_PROXY`,
			httpStatus: 407,
		});
	const isStatus = typeof problem === "number";
	const code = codeOf(innermost(problem));
	return new Fault("connection-failed", {
		what: `the proxy ${label} made no connection`,
		why: isStatus
			? `it answered HTTP ${problem}`
			: `${code || "the connection to it failed"}; it is named by ${variable}`,
		next: `check ${variable}, or leave it out for this host by NO_PROXY`,
		cause: isStatus ? undefined : problem,
	});
}

/** How the codes of sockets, TLS, HTTP/2 and undici begin. Whatever else is thrown is a defect of ours. */
const NETWORK_CODE =
	/^(E[A-Z]+|UND_ERR_(SOCKET|ABORTED|INFO|DESTROYED|CLOSED|RES_\w+|HEADERS_OVERFLOW|\w+_MISMATCH)|ERR_(SSL|TLS|HTTP2|STREAM)_\w+)$/;

/** Why an exchange broke after the connection stood. What is no failure of the network passes through as it is. */
export function exchangeFault(error: unknown, url: URL): unknown {
	if (error instanceof Fault) return error;
	const cause = innermost(error);
	const code = codeOf(cause);
	if (code.startsWith("HPE_")) return notHttp(error, cause, url);
	if (!NETWORK_CODE.test(code)) return error;
	return new Fault("connection-failed", {
		what: `the connection to ${url.host} broke before the answer was complete`,
		why: `${messageOf(cause)}${code && !messageOf(cause).includes(code) ? ` (${code})` : ""}`,
		next:
			url.protocol === "http:"
				? "try again; if the server speaks TLS, write https:// instead of http://"
				: "try again",
		cause: error,
	});
}

/** First byte of a TLS alert: the answer of a TLS port to plain HTTP. */
const TLS_ALERT = 0x15;

function notHttp(error: unknown, cause: object, url: URL): Fault {
	const bytes = "data" in cause ? Buffer.from(String(cause.data)) : undefined;
	if (bytes?.[0] === TLS_ALERT)
		return new Fault("tls-failed", {
			what: `${url.host} speaks TLS, but was asked in plain HTTP`,
			why: "it answered with a TLS alert",
			next: `write https://${url.host}${url.pathname}`,
			cause: error,
		});
	return new Fault("http-unexpected", {
		what: `${url.host} answered with something that is not HTTP`,
		why: `${messageOf(cause)} (${codeOf(cause)})`,
		next: "check the port: another program may listen there",
		cause: error,
	});
}

function tellDns(code: string, url: URL): Told | undefined {
	if (code !== "ENOTFOUND" && code !== "EAI_AGAIN" && code !== "EAI_FAIL")
		return undefined;
	return {
		code: "dns-failed",
		what: `the host name ${url.hostname} could not be resolved`,
		why:
			code === "ENOTFOUND"
				? "no such name is known (ENOTFOUND)"
				: `the name server did not answer (${code})`,
		next: "check the spelling of the host, and the network",
	};
}

function tellRefused(code: string, url: URL): Told | undefined {
	if (code !== "ECONNREFUSED") return undefined;
	const port = url.port || (url.protocol === "https:" ? "443" : "80");
	const ours = isLoopback(bareHost(url))
		? `start your server, or try ours first: mcp-events serve --port ${port}`
		: "start the server, or check host and port";
	return {
		code: "connection-refused",
		what: `nothing answers at ${url.host}`,
		why: `the connection was refused (ECONNREFUSED); no program is listening on port ${port}`,
		next: ours,
	};
}

const CERTIFICATE_REASONS: Record<string, string> = {
	DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
	SELF_SIGNED_CERT_IN_CHAIN: "its certificates end in one of an unknown CA",
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is of an unknown CA",
	UNABLE_TO_GET_ISSUER_CERT: "its certificate is of an unknown CA",
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is of an unknown CA",
	CERT_HAS_EXPIRED: "its certificate has expired",
	CERT_NOT_YET_VALID: "its certificate is not valid yet",
	ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
};

function tellTls(code: string, cause: object, url: URL): Told | undefined {
	const known = CERTIFICATE_REASONS[code];
	const isTls =
		known !== undefined || /^(ERR_SSL_|ERR_TLS_|CERT_|EPROTO$)/.test(code);
	if (!isTls) return undefined;
	const isPlain =
		code === "ERR_SSL_WRONG_VERSION_NUMBER" ||
		code === "ERR_SSL_PACKET_LENGTH_TOO_LONG";
	if (isPlain)
		return {
			code: "tls-failed",
			what: `${url.host} does not speak TLS`,
			why: `what it sent is no TLS record; it may be plain HTTP (${code})`,
			next: `write http://${url.host}${url.pathname}`,
		};
	return {
		code: "tls-failed",
		what: `no secure connection to ${url.host} could be made`,
		why: `${known ?? messageOf(cause)} (${code})`,
		next: "name its CA by --ca FILE, or, only for a test, check nothing by --insecure",
	};
}

function tellOther(code: string, cause: object, url: URL): Told {
	return {
		code: code === "ETIMEDOUT" ? "timed-out" : "connection-failed",
		what: `no connection to ${url.host} could be made`,
		why: code ? `${messageOf(cause)} (${code})` : messageOf(cause),
		next: "check the address and the network",
	};
}

/** Happy eyeballs gives one error for each address; the first that has a code tells enough. */
function innermost(error: unknown): object {
	if (error instanceof AggregateError) {
		const coded = error.errors.find((inner) => codeOf(inner) !== "");
		return innermost(coded ?? error.errors[0]);
	}
	return typeof error === "object" && error !== null ? error : new Error();
}

function codeOf(error: unknown): string {
	if (typeof error !== "object" || error === null) return "";
	return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** One line of an error's own text. OpenSSL's holds file names and line numbers behind the first colons. */
function messageOf(error: object): string {
	const text = error instanceof Error ? error.message : "";
	return (
		text.replace(/\s+/g, " ").trim().slice(0, 200) || "no reason was given"
	);
}
