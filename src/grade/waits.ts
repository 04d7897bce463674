// How long what is waited for, and the sizes that are tried (checks.yaml, knobs). A test may shorten the waits.

export const WAITS = {
	activeMs: 3_000,
	errorBeforeOpenMs: 1_000,
	terminatedMs: 5_000,
	/** From terminated to the end of the stream. */
	afterTerminatedMs: 500,
	afterCancelMs: 500,
	heartbeatMs: 30_000,
	heartbeatToleranceMs: 2_000,
	/** How long a push stream is watched; 30 s or less leave a missing heartbeat undecided. */
	pushWatchMs: 35_000,
	noReplayGapMs: 1_500,
	occurrenceMs: 6_000,
	/** By how much an event must be too old before it is held against a stream with maxAgeMs. */
	maxAgeMarginMs: 1_500,
	pollAgainMinMs: 250,
	pollAgainMaxMs: 2_000,
	/** For a poll type to forget what it kept. */
	retentionMs: 4_000,
	/** For a first request at a callback path. */
	deliveryMs: 20_000,
	/** For retries to play out. */
	deliverySettleMs: 5_000,
	envelopeMs: 5_000,
	canaryMs: 3_000,
	redirectFollowMs: 3_000,
	/** For a server to give up an endless subscription whose callback is dead. */
	gcMs: 6_000,
	listenAcknowledgedMs: 3_000,
	listChangedMs: 3_000,
	/** How long nothing may come where nothing should. */
	quietMs: 1_500,
	/** For failures to suspend a subscription. */
	suspendedMs: 6_000,
	/** The longest lease whose end is waited for, and how long after it the subscription counts as lapsed. */
	leaseMs: 5_000,
	afterLeaseMs: 300,
	/** Between two refreshes of which the second must be granted anew. */
	regrantMs: 1_100,
	/** The age that replay is limited to. */
	maxAgeMs: 500,
	/** For the generation to move after a restart. */
	restartMs: 5_000,
	/** How long a first event by any mode is waited for where modes are compared, and how long one listens after it. */
	modesWindowMs: 10_000,
	/** For the other modes to bring what one has brought. */
	modesSettleMs: 20_000,
	/** An event that a mode brings later than this behind the first one is remarked upon. */
	modesLateMs: 5_000,
} as const;

export type Waits = { readonly [name in keyof typeof WAITS]: number };

export const SIZES = {
	listPages: 20,
	listTypes: 1_000,
	streamsAtOnce: 3,
	maxAgeProbeMs: 300_000,
	ttlSuggestionMs: 3_600_000,
	ttlSlackMs: 60_000,
	ttlShortMs: 1_000,
	ttlLongMs: 30 * 86_400_000,
	ttlDurabilityMs: 86_400_000,
	retryAttempts: 6,
	/** Only attempts at least this far apart decide whether a timestamp is new. */
	retrySpacingMs: 1_000,
} as const;
