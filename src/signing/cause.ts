// The mistakes that can be told apart: a closed list.

export type CauseKind =
	| "secret-as-text"
	| "secret-as-hex"
	| "secret-prefix-decoded"
	| "other-secret"
	| "body-rewritten"
	| "body-as-text"
	| "body-empty"
	| "body-alone"
	| "trailing-newline"
	| "line-ends"
	| "byte-order-mark"
	| "wrong-id"
	| "wrong-timestamp"
	| "wrong-order"
	| "milliseconds"
	| "algorithm"
	| "signature-encoding"
	| "signature-header"
	| "clock-skew"
	| "truncated-body"
	| "header";

export interface Cause {
	kind: CauseKind;
	/** The mistake in words; no secret stands in it. */
	told: string;
	/** The label of the secret with which the signature fits, where one is in it. */
	label?: string;
}
