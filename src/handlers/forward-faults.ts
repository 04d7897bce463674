// Failures of forwarding, in words for somebody who waits for deliveries.
import { Fault } from "../faults/index.ts";
import { exchangeFault, safeUrl } from "../network/index.ts";

/** A failure as it concerns somebody who waits for deliveries. What is no failure of the network stays as it is. */
export function retellFault(error: unknown, url: URL): unknown {
	const code =
		error instanceof Error && "code" in error ? String(error.code) : "";
	if (code.startsWith("HPE_"))
		return new Fault("http-unexpected", {
			what: `${url.host} answered with something that is not HTTP`,
			why: `${error instanceof Error ? error.message : ""} (${code})`,
			next: "check the port: another program may listen there",
			cause: error,
		});
	const fault = exchangeFault(error, url);
	if (!(fault instanceof Fault) || fault.code !== "connection-refused")
		return fault;
	return new Fault("connection-refused", {
		what: fault.what,
		why: fault.why,
		next: `start the program that takes deliveries at ${safeUrl(url)}, or check host and port`,
		cause: fault,
	});
}

/** Why a delivery was given up. */
export function lateFault(url: URL, timeoutMs: number): Fault {
	return new Fault("timed-out", {
		what: `no answer from ${safeUrl(url)} within ${timeoutMs} ms`,
		why: "neither a status nor a refusal came",
		next: "allow more time: --timeout 60s",
	});
}
