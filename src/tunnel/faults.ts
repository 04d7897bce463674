// The faults of tunnels; each names the ways out.
import { Fault } from "../faults/index.ts";
import type { Ending } from "./program.ts";

const OTHER_WAYS =
	"--public-url URL for an address of your own, or another tunnel: --tunnel 'ngrok http {port}'";

/** The program could not be started at all: to try again would not help. */
export function notStarted(program: string, { how, errorCode }: Ending): Fault {
	const why =
		errorCode === "ENOENT"
			? "there is no such program (ENOENT)"
			: errorCode === "EACCES"
				? "the file may not be executed (EACCES)"
				: how;
	return new Fault("tunnel-failed", {
		what: `the tunnel could not be started: ${program}`,
		why,
		next: `name a program that is there (CLOUDFLARED_BIN=PATH for cloudflared), or ${OTHER_WAYS}`,
	});
}

/** The program ended or kept us waiting before anything could arrive through it. */
export function notReady(
	program: string,
	how: string,
	lastLines: readonly string[],
): Fault {
	const said = lastLines.map((line) => JSON.stringify(line)).join(", ");
	return new Fault("tunnel-failed", {
		what: `the tunnel is not up: ${program}`,
		why: `${how}; ${said ? `the last that it said: ${said}` : "it said nothing"}`,
		next: `try again, or ${OTHER_WAYS}`,
	});
}

/** cloudflared is not on this machine and cannot be brought here. */
export function notFetched(cause: unknown, usesProxy: boolean): Fault {
	const why = cause instanceof Error ? cause.message : String(cause);
	return new Fault("tunnel-failed", {
		what: "cloudflared is not on this machine, and could not be fetched",
		why: usesProxy ? `${why}; the download does not use HTTPS_PROXY` : why,
		next: `install cloudflared, or CLOUDFLARED_BIN=PATH, or ${OTHER_WAYS}`,
		cause,
	});
}
