// events-webhook-delivery: what arrives at a callback, what may not be called, and whose consent it takes (events.md 6).
import { defineScenario } from "../scenario.ts";
import { consentChecks } from "./consent.ts";
import { consentFailureChecks } from "./consent-failures.ts";
import { consentReachChecks } from "./consent-reach.ts";
import { deliveryStatusChecks } from "./delivery-status.ts";
import { envelopeChecks } from "./envelopes.ts";
import { guardChecks } from "./guards.ts";
import { judgementChecks } from "./judgements.ts";
import { keyChecks } from "./keys.ts";
import { persistenceChecks } from "./persistence.ts";
import { positionChecks } from "./positions.ts";
import { redirectChecks } from "./redirects.ts";
import { requestChecks } from "./requests.ts";
import { resumingChecks } from "./resuming.ts";
import { retryChecks } from "./retries.ts";
import { reverifyingChecks } from "./reverifying.ts";
import { rotationChecks } from "./rotation.ts";
import { openStage } from "./stage.ts";
import { wellKnownChecks } from "./well-known.ts";

export const delivery = defineScenario({
	scenario: "events-webhook-delivery",
	prepare: openStage,
	checks: [
		...guardChecks,
		...consentChecks,
		...consentFailureChecks,
		...consentReachChecks,
		...wellKnownChecks,
		...retryChecks,
		...redirectChecks,
		...positionChecks,
		...resumingChecks,
		...deliveryStatusChecks,
		...rotationChecks,
		...envelopeChecks,
		...reverifyingChecks,
		...persistenceChecks,
		...requestChecks,
		...keyChecks,
		...judgementChecks,
	],
	close: ({ releaseAll }) => releaseAll(),
});
