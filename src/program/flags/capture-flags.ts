// Flags of the commands that read captures, check them and send them.
import { Flags } from "@oclif/core";
import { SIGNATURE_TOLERANCE_SECONDS } from "../../protocol/index.ts";
import { durationFlag } from "./flags.ts";

export const placeFlags = {
	captures: Flags.string({
		helpValue: "DIR",
		helpGroup: "CAPTURE",
		summary: "Folder of the captures; by default in the state folder.",
	}),
	state: Flags.string({
		helpValue: "DIR",
		helpGroup: "CAPTURE",
		summary: "State folder; by default the XDG state folder.",
	}),
};

export const filterFlags = {
	since: Flags.string({
		helpValue: "WHEN",
		helpGroup: "CAPTURE",
		summary: "Only what arrived after this: an age (2h) or an ISO 8601 time.",
	}),
	event: Flags.string({
		helpValue: "NAME",
		helpGroup: "CAPTURE",
		multiple: true,
		multipleNonGreedy: true,
		summary: "Only events of this name (repeatable).",
	}),
	subscription: Flags.string({
		helpValue: "NAME|ID",
		helpGroup: "CAPTURE",
		multiple: true,
		multipleNonGreedy: true,
		summary: "Only deliveries of this subscription (repeatable).",
	}),
	verdict: Flags.string({
		helpValue: "KIND",
		helpGroup: "CAPTURE",
		multiple: true,
		multipleNonGreedy: true,
		summary:
			"Only deliveries that were judged so: valid, no-match, too-old (repeatable).",
	}),
};

export const secretFlags = {
	"secret-file": Flags.string({
		helpValue: "PATH",
		helpGroup: "SIGNATURE",
		multiple: true,
		multipleNonGreedy: true,
		summary:
			"File with the whsec_ secret, one a line (repeatable); by default those of our subscriptions.",
	}),
};

/** For whoever checks signatures. */
export const checkFlags = {
	"public-key": Flags.string({
		helpValue: "FILE",
		helpGroup: "SIGNATURE",
		multiple: true,
		multipleNonGreedy: true,
		summary:
			"Check v1a signatures with this key: whpk_, PEM, or a JWK set (repeatable).",
	}),
	tolerance: durationFlag({
		helpGroup: "SIGNATURE",
		default: SIGNATURE_TOLERANCE_SECONDS * 1_000,
		defaultHelp: async () => "5m",
		summary: "How far a timestamp may be away, both ways.",
	}),
};

export const postFlags = {
	to: Flags.string({
		required: true,
		helpValue: "URL",
		helpGroup: "TARGET",
		summary: "Where it is sent.",
	}),
	header: Flags.string({
		char: "H",
		helpValue: "'K: V'",
		helpGroup: "TARGET",
		multiple: true,
		multipleNonGreedy: true,
		summary: "Send this header too, in place of one of its name (repeatable).",
	}),
	timeout: durationFlag({
		helpGroup: "TARGET",
		summary: "Longest wait for an answer.",
		default: 10_000,
		defaultHelp: async () => "10s",
	}),
	"connect-timeout": durationFlag({
		helpGroup: "TARGET",
		summary: "Longest wait for a connection.",
		default: 10_000,
		defaultHelp: async () => "10s",
	}),
	ca: Flags.string({
		helpValue: "FILE",
		helpGroup: "TARGET",
		summary: "Trust the certificates in this PEM file too.",
	}),
	insecure: Flags.boolean({
		helpGroup: "TARGET",
		summary: "Accept any TLS certificate. For tests only.",
	}),
	retry: Flags.integer({
		min: 0,
		max: 20,
		default: 0,
		helpValue: "N",
		helpGroup: "TARGET",
		summary:
			"Try again up to N times, with growing waits, where the answer is not 2xx; never after 410 or 413.",
	}),
};

export interface PlaceFlags {
	captures?: string | undefined;
	state?: string | undefined;
}

export interface FilterFlags {
	since?: string | undefined;
	event?: string[] | undefined;
	subscription?: string[] | undefined;
	verdict?: string[] | undefined;
}

export interface SecretFlags {
	"secret-file"?: string[] | undefined;
}

export interface PostFlags {
	to: string;
	header?: string[] | undefined;
	timeout: number;
	"connect-timeout": number;
	ca?: string | undefined;
	insecure: boolean;
	retry: number;
}
