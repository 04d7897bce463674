// The --tunnel flag: alone for a quick tunnel of Cloudflare, or with the command of another tunnel.
import type { TunnelVia } from "../../tunnel/index.ts";

const FLAG = "--tunnel";
/** What --tunnel alone stands for. */
const QUICK = "cloudflared";

/**
 * Gives `--tunnel` a value where it stands alone, as the parser wants one. The word behind it is its command where it
 * has the form of one: several words, or {port} in it. What follows `--` is left as it is.
 */
export function spellTunnelFlag(argv: readonly string[]): string[] {
	const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
	return argv.flatMap((word, at) => {
		if (at >= end || word !== FLAG) return [word];
		const next = at + 1 < end ? (argv[at + 1] ?? "") : "";
		return isCommand(next) ? [word] : [`${FLAG}=${QUICK}`];
	});
}

const isCommand = (word: string) =>
	word === QUICK || /\s|\{port\}/.test(word.trim());

/** What the flag's value asks for. */
export function tunnelOf(value: string): TunnelVia {
	return value === QUICK
		? { kind: "cloudflared" }
		: { kind: "command", template: value };
}
