// What whoever starts a server should know of it, whether or not it was asked to be quiet.
import type { ServeOptions } from "./options.ts";

/** One line for each; empty where there is nothing to fear. */
export function dangersOf(
	{ http, tokens, callbacks, faults, served, overStdio }: ServeOptions,
	isLoopback: (host: string) => boolean,
): string[] {
	const dangers: string[] = [];
	const isOpen = !overStdio && !isLoopback(http.host);
	if (isOpen && tokens.length === 0)
		dangers.push(
			`${http.host} can be reached from other machines, and nobody is asked for a token: whoever reaches it reads all events (--token)`,
		);
	else if (isOpen)
		dangers.push(`${http.host} can be reached from other machines`);
	if (isOpen && tokens.length > 0 && http.tls === undefined)
		dangers.push(
			"tokens travel in the clear: whoever listens on the way has them (--tls-cert)",
		);
	if (callbacks.allowPrivate.length > 0)
		dangers.push(
			`callbacks may be at ${callbacks.allowPrivate.join(", ")}: whoever has a token can make this machine send requests there`,
		);
	if (callbacks.ca !== undefined)
		dangers.push(
			`callbacks are trusted that ${callbacks.ca} vouches for, whoever they say they are`,
		);
	if (callbacks.resolver !== undefined)
		dangers.push(
			`the name server ${callbacks.resolver} decides where callbacks are sent`,
		);
	if (served.conformanceControls)
		dangers.push(
			"the fixture controls are on: any caller can end subscriptions, subscribe for others and open private addresses",
		);
	if (faults.length > 0)
		dangers.push(`rules are broken on purpose: ${faults.join(", ")}`);
	return dangers;
}
