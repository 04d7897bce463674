// Where `serve` listens, whom it lets in, and how much it takes.
import { Flags } from "@oclif/core";
import { Fault } from "../../faults/index.ts";
import { sizeFlag } from "../flags/flags.ts";

const SECONDS = { s: 1, m: 60 };

/** Calls a second; 0 for `off`. Throws `wrong-use`. */
export function parseRate(text: string): number {
	if (text === "off") return 0;
	const [, count, unit = "s"] =
		/^([1-9]\d{0,6})(?:\/([sm]))?$/.exec(text) ?? [];
	if (count !== undefined) return Number(count) / SECONDS[unit as "s" | "m"];
	throw new Fault("wrong-use", {
		what: `--rate-limit ${JSON.stringify(text)} is no rate`,
		why: "allowed: a number a second or a minute, such as 100/s or 30/m, or off",
		next: "--rate-limit 100/s",
	});
}

export const httpFlags = {
	port: Flags.integer({
		min: 0,
		max: 65_535,
		default: 0,
		helpValue: "PORT",
		helpGroup: "HTTP",
		summary: "Listen on this port; 0 takes a free one.",
	}),
	host: Flags.string({
		default: "127.0.0.1",
		helpValue: "ADDRESS",
		helpGroup: "HTTP",
		summary: "Listen on this address.",
	}),
	path: Flags.string({
		default: "/mcp",
		helpValue: "/PATH",
		helpGroup: "HTTP",
		summary: "Path of the endpoint.",
	}),
	"tls-cert": Flags.string({
		helpValue: "FILE",
		helpGroup: "HTTP",
		summary:
			"Speak HTTPS, in HTTP/1.1 and HTTP/2, with the certificate in this PEM file.",
	}),
	"tls-key": Flags.string({
		helpValue: "FILE",
		helpGroup: "HTTP",
		summary: "The key of --tls-cert, a PEM file.",
	}),
	"ready-file": Flags.string({
		helpValue: "PATH",
		helpGroup: "HTTP",
		summary: "Write one JSON line (url, pid) when it listens.",
	}),
	token: Flags.string({
		multiple: true,
		multipleNonGreedy: true,
		helpValue: "NAME=TOKEN",
		helpGroup: "ACCESS",
		summary:
			"Ask every call for a bearer token; it makes the caller NAME. NAME=@FILE reads it from a file, NAME=env:VAR from the environment (repeatable). Webhooks are offered to callers with a token alone.",
	}),
	"allow-origin": Flags.string({
		multiple: true,
		multipleNonGreedy: true,
		helpValue: "ORIGIN",
		helpGroup: "ACCESS",
		summary: "Take calls from web pages of this origin (repeatable).",
	}),
	"allow-host": Flags.string({
		multiple: true,
		multipleNonGreedy: true,
		helpValue: "NAME",
		helpGroup: "ACCESS",
		summary: "Answer to this host name too (repeatable).",
	}),
	"rate-limit": Flags.custom<number>({
		helpValue: "N/s",
		helpGroup: "LIMIT",
		summary:
			"Answer a caller with 429 above this rate, N/s, N/m or off; by default 1000/s.",
		parse: async (text) => parseRate(text),
	})(),
	"max-connections": Flags.integer({
		min: 1,
		helpValue: "N",
		helpGroup: "LIMIT",
		summary:
			"Connections at once; of one address half as many. By default 4096.",
	}),
};

/** Limits that hold over stdio too. */
export const limitFlags = {
	"max-streams": Flags.integer({
		min: 1,
		helpValue: "N",
		helpGroup: "LIMIT",
		summary: "Streams open at once. By default 1000.",
	}),
	"max-streams-per-caller": Flags.integer({
		min: 1,
		helpValue: "N",
		helpGroup: "LIMIT",
		summary: "Of those, the ones of one caller.",
	}),
	"max-request": sizeFlag({
		helpGroup: "LIMIT",
		summary: "Largest request that is read. By default 1mb.",
	}),
};
