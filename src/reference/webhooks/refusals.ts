// What clients and receivers of webhooks are told when something ends or cannot be had.
import { Refusal } from "../refusal.ts";

export const noPrincipal = () =>
	new Refusal("Forbidden", "webhooks need an authenticated principal");

export const noSubscription = () =>
	new Refusal("NotFound", "there is no such subscription", {
		data: { kind: "subscription" },
	});

export const noEventType = (name: string) =>
	new Refusal("NotFound", `there is no event type ${name} any longer`, {
		data: { kind: "event" },
	});

export const accessLost = (name: string) =>
	new Refusal("Forbidden", `you may no longer have ${name}`);

export const failedTooLong = (reason: string) =>
	new Refusal(
		"CallbackEndpointError",
		"the callback took no delivery for too long",
		{ data: { reason } },
	);

export const notKept = () =>
	new Refusal("InternalError", "the subscription could not be kept");

export const interrupted = () =>
	new Refusal("InternalError", "the server is closing or beginning anew");
