// Rows of delivery about consent, safety and control envelopes (events.md 6).
import { type CatalogueRow, rowsOf } from "./row.ts";

export const deliveryGuardsRows: readonly CatalogueRow[] = rowsOf(
	"events-webhook-delivery",
	[
		{
			id: "verification-required-before-delivery",
			level: "must",
			section: "consent",
			requirement:
				"Nothing is delivered before the endpoint has shown its consent: by handshake, allowlist, earlier out-of-band proof, or a well-known document on its origin.",
			how: "Compare the arrival of the challenge with the first event, and count fetches of the well-known document; the path is new for each run, so allowlist and out-of-band cannot apply.",
		},
		{
			id: "verification-challenge-echo",
			level: "wire",
			section: "consent",
			requirement:
				"The handshake is a signed verification envelope with a one-time challenge, which the endpoint echoes in a 2xx body before activation.",
			how: "Check that the envelope carries a string challenge, and echo it.",
		},
		{
			id: "verification-failure-error",
			level: "wire",
			section: "consent",
			requirement:
				"A reachable endpoint that does not echo makes subscribe fail with CallbackEndpointError (-32027; sketch -32015) and reason challenge_failed; an unreachable one gives the same code with the connection category.",
			how: "Subscribe a path that echoes a wrong value, one that answers 500, and a port where nobody listens.",
			turned: {
				sketch:
					"the codes -32011 to -32015 of the older sketch are the right ones",
				chatgpt: "-32015 with data.reason is the documented answer",
			},
		},
		{
			id: "verification-cached-per-principal-url",
			level: "wire",
			section: "consent",
			requirement:
				"One verification covers all subscriptions of that principal to that URL, and never those of another principal.",
			how: "Subscribe the same URL with other arguments and count challenges; do it again as a second principal.",
			needs: [
				{
					kind: "credential",
					name: "--second-principal-header 'K: V', for one half",
				},
			],
		},
		{
			id: "verification-persisted-for-no-expiry",
			level: "must",
			section: "consent",
			requirement:
				"Where endless subscriptions outlive a restart, so does their verification.",
			how: "Subscribe without expiry, restart by the control, and expect events, a refresh and a further subscription at the same URL without a new challenge.",
			needs: [
				{ kind: "control", name: "events_conformance_restart" },
				{
					kind: "feature",
					name: "a callback that the server can reach",
				},
			],
		},
		{
			id: "verification-uses-ssrf-hardened-path",
			level: "must",
			section: "consent",
			requirement:
				"The verification POST is guarded like a delivery: address checked when connecting, no redirects.",
			how: "Answer a challenge with a redirect to a path that would echo it, and see whether that is asked; what is dialled of private addresses, ssrf-reject-non-routable tells.",
		},
		{
			id: "verification-no-raw-endpoint-responses",
			level: "must",
			section: "consent",
			requirement:
				"A failed verification surfaces as its category only, with nothing from the endpoint response.",
			how: "Search message and data of the error from the wrong-echo probe for the distinctive wrong echo.",
		},
		{
			id: "ssrf-validate-callback-url",
			level: "must",
			section: "server safety",
			requirement: "The server validates callback URLs.",
			how: "Before any guard is lifted, subscribe a plain http callback of this machine, a text that is no URL, and another scheme.",
		},
		{
			id: "ssrf-reject-non-routable",
			level: "should",
			section: "server safety",
			requirement:
				"A URL whose address is not globally routable is refused unless the operator allows it.",
			how: "Before any guard is lifted, subscribe callbacks in private, link-local, metadata, IPv6 and mapped ranges, in odd spellings, and on a listener of this machine that counts connections.",
		},
		{
			id: "ssrf-validate-at-delivery-time",
			level: "must",
			section: "server safety",
			requirement:
				"The address is checked again at each delivery, and the connection goes to exactly the address that was checked.",
			how: "Serve a name whose DNS answer changes from public to private between subscribe and delivery.",
			needs: [
				{
					kind: "feature",
					name: "a name whose address can be changed while the run lasts",
				},
			],
		},
		{
			id: "ssrf-no-redirects",
			level: "must",
			section: "server safety",
			requirement: "Deliveries never follow a redirect.",
			how: "Answer deliveries 302 and 307 towards a second path of the receiver, and see whether that is hit within 3 s.",
		},
		{
			id: "envelope-type-discriminator",
			level: "wire",
			section: "control envelopes",
			requirement:
				"A body with a top-level type is a control envelope and a body without one is an occurrence.",
			how: "Split recorded bodies by that member and check that the typeless ones have an ISO timestamp.",
		},
		{
			id: "envelope-signed-like-deliveries",
			level: "wire",
			section: "control envelopes",
			requirement:
				"Control envelopes carry the same signature and headers as event deliveries.",
			how: "Verify the signature and compare the subscription header of every envelope, those of controls too.",
		},
		{
			id: "envelope-webhook-id-format",
			level: "wire",
			isWeak: true,
			section: "control envelopes",
			requirement:
				"The webhook-id of an envelope has the form msg_, its type, an underscore and something random.",
			how: "Match the header against that form.",
		},
		{
			id: "envelope-gap",
			level: "wire",
			isWeak: true,
			section: "control envelopes",
			requirement:
				"A gap found between refreshes is POSTed as a gap envelope with a fresh cursor.",
			how: "Ask the control to signal a gap on the scenario's own subscription and wait up to 5 s.",
			needs: [{ kind: "control", name: "events_conformance_webhook_gap" }],
			profiles: ["final", "sketch"],
		},
		{
			id: "envelope-terminated",
			level: "wire",
			section: "control envelopes",
			requirement:
				"The end of a subscription is POSTed as a terminated envelope with an error object, and the subscription is gone.",
			how: "Ask the control to end one subscription, wait up to 5 s, and see that nothing is signed later than a second after it and that unsubscribe answers NotFound.",
			needs: [
				{ kind: "control", name: "events_conformance_webhook_terminate" },
			],
			profiles: ["final", "sketch"],
		},
		{
			id: "error-callback-endpoint-error",
			level: "wire",
			section: "errors",
			requirement:
				"A callback that cannot be reached or verified yields CallbackEndpointError (-32027; sketch -32015) with data.reason one of the lastError categories.",
			how: "Graded on the error from the wrong-echo probe.",
			turned: {
				sketch:
					"the codes -32011 to -32015 of the older sketch are the right ones",
				chatgpt: "-32015 with data.reason is the documented answer",
			},
		},
		{
			id: "authz-delivery-time-reverify",
			level: "should",
			section: "access",
			requirement:
				"The server checks permissions again from time to time and ends subscriptions of principals who lost access.",
			how: "Take access away in mid-run by the control and expect a terminated signal with Forbidden, by webhook and by push; poll has a row of its own.",
			needs: [{ kind: "control", name: "events_conformance_access" }],
		},
		{
			id: "ssrf-connects-checked-address",
			level: "must",
			section: "server safety",
			requirement:
				"A delivery goes to the very address that was checked, with the original name in Host and SNI.",
			how: "Subscribe a callback at localhost, let in by the control, and look at Host and SNI of what arrives.",
			needs: [
				{ kind: "control", name: "events_conformance_allow_callback_origin" },
			],
		},
		{
			id: "verification-nonce-single-use",
			level: "wire",
			section: "consent",
			requirement:
				"The nonce of a challenge is fresh for each handshake, hard to guess and short-lived.",
			how: "Compare the challenges of all handshakes of the run, and echo an earlier one in place of the right one.",
		},
		{
			id: "well-known-document-honoured",
			level: "wire",
			section: "consent",
			requirement:
				"The well-known document is fetched by the guarded path, covers only its prefixes, and counts only on https.",
			how: "Serve the document and subscribe callbacks within and outside its prefix; answer its fetch with a redirect.",
			needs: [
				{
					kind: "flag",
					name: "--tls-cert FILE --tls-key FILE, or --public-url URL, with a certificate that the server trusts",
				},
			],
		},
	],
);
