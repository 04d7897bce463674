// Failures of sockets, TLS and HTTP framing, told as faults by their codes and never by their texts alone.
import { Fault, type FaultCode } from "../faults/index.ts";
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
		tellLimit(code, url) ??
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
	const failed =
		problem instanceof Fault ? problem.why : codeOf(innermost(problem));
	return new Fault("connection-failed", {
		what: `the proxy ${label} made no connection`,
		why: isStatus
			? `it answered HTTP ${problem}`
			: `${failed || "the connection to it failed"}; it is named by ${variable}`,
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
	if (isParserError(cause)) return notHttp(error, cause, url);
	if (!NETWORK_CODE.test(code)) return error;
	return new Fault("connection-failed", {
		what: `the connection to ${url.host} broke before the answer was complete`,
		why: `${messageOf(cause)}${code && !messageOf(cause).includes(code) ? ` (${code})` : ""}`,
		next: "try again, and look into the server's log",
		cause: error,
	});
}

/** Plain HTTP was spoken to a port of TLS: seen by a handshake that worked. */
export function plainToTlsFault(url: URL, cause: unknown): Fault {
	return new Fault("tls-failed", {
		what: `${url.host} speaks TLS, but was asked in plain HTTP`,
		why: "it gave no usable answer, and a TLS handshake with it works",
		next: `write https://${url.host}${url.pathname}`,
		cause,
	});
}

function notHttp(error: unknown, cause: object, url: URL): Fault {
	return new Fault("http-unexpected", {
		what: `${url.host} answered with something that is not HTTP`,
		why: messageOf(cause),
		next: "check the port: another program may listen there",
		cause: error,
	});
}

/** It is not the server's fault; `what` alone is told where a tail goes on by poll for it. */
function tellLimit(code: string, url: URL): Told | undefined {
	if (code !== "EMFILE" && code !== "ENFILE") return undefined;
	const whose = code === "EMFILE" ? "this process" : "this machine";
	return {
		code: "connection-failed",
		what: `too many open files (ulimit -n) for a further connection to ${url.host}`,
		why: `${whose} has as many files and sockets open as it may (${code})`,
		next: "allow more (ulimit -n 4096), follow fewer at once, or follow them with --via poll, which needs few connections",
	};
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

interface Reason {
	why: string;
	next: string;
}

const ONLY_FOR_A_TEST = "or, only for a test, check nothing: --insecure";
const unknownCa = (why: string): Reason => ({
	why,
	next: `name its CA: --ca FILE; ${ONLY_FOR_A_TEST}`,
});
const UNKNOWN_CA = unknownCa("its certificate is of an unknown CA");
const CERTIFICATE_REASONS: Record<string, Reason> = {
	DEPTH_ZERO_SELF_SIGNED_CERT: unknownCa("its certificate is self-signed"),
	SELF_SIGNED_CERT_IN_CHAIN: unknownCa(
		"its certificates end in one of an unknown CA",
	),
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
	UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
	CERT_HAS_EXPIRED: {
		why: "its certificate has expired",
		next: `renew the server's certificate, or check this machine's clock; ${ONLY_FOR_A_TEST}`,
	},
	CERT_NOT_YET_VALID: {
		why: "its certificate is not valid yet",
		next: `check the clocks of the server and of this machine; ${ONLY_FOR_A_TEST}`,
	},
	ERR_TLS_CERT_ALTNAME_INVALID: {
		why: "its certificate is for another host",
		next: `use the host name that the certificate is for; ${ONLY_FOR_A_TEST}`,
	},
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
		why: `${known?.why ?? messageOf(cause)} (${code})`,
		next:
			known?.next ??
			"check that the port is one of TLS, and which versions it speaks",
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

/** undici's parser gives a code to some of its errors only. */
function isParserError(error: object): boolean {
	return error instanceof Error && error.name === "HTTPParserError";
}

/** The code of a system error; empty where there is none. */
export function codeOf(error: unknown): string {
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
