// Where the deliveries of a subscription are taken.
import type { Receiver, Registration } from "../../receiver/index.ts";

/**
 * Adds a subscription at its path, and below the path of the public address too, which a proxy may strip or not. Returns
 * what takes it away.
 */
export function addRoutes(
	receiver: Receiver,
	{
		path,
		registration,
		address,
		expects,
	}: {
		path: string;
		registration: Registration;
		address: string;
		expects: "events" | "anything";
	},
): () => void {
	const below = new URL(address).pathname.replace(/\/$/, "");
	const paths = new Set([path, below + path]);
	for (const at of paths)
		receiver.addRoute({ path: at, expects, registrations: [registration] });
	return () => {
		for (const at of paths) receiver.removeRoute(at);
	};
}
