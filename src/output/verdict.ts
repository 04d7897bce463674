// What was found out about the signature of one delivery, for people. Ids and causes may hold a sender's text.
import type { Page } from "./pretty.ts";
import { visibleLine } from "./visible-text.ts";

export interface VerdictToShow {
	/** Its id, or where it was read from. */
	capture: string;
	webhookId: string | null;
	valid: boolean;
	/** The verdict in words. */
	told: string;
	/** The one mistake that explains it. */
	cause?: { told: string; label?: string };
	/** How much older than the time of the check its timestamp is, where that alone would refuse it. */
	skewSeconds?: number;
}

const LONGEST_NAME = 120;

/** Two to four lines; the verdict first. */
export function renderVerdict(shown: VerdictToShow, page: Page): string {
	const { palette } = page;
	const { capture, webhookId, valid, told, cause, skewSeconds } = shown;
	const names = [capture, webhookId ?? ""].filter(
		(name, at, all) => name !== "" && all.indexOf(name) === at,
	);
	const name = names.map((text) => visibleLine(text, LONGEST_NAME)).join(" ");
	const verdict = valid
		? `${palette.literal("valid")}, ${visibleLine(told)}`
		: palette.failure("not valid");
	const lines = [`${palette.name(name)}: ${verdict}`];
	if (!valid) lines.push(`  found: ${visibleLine(told)}`);
	if (cause && cause.told !== told) {
		const label =
			cause.label === undefined || cause.told.includes(cause.label)
				? ""
				: ` (it fits with ${cause.label})`;
		lines.push(`  cause: ${visibleLine(cause.told + label)}`);
	}
	if (!valid && !cause)
		lines.push(
			"  cause: not found; no single mistake that is known explains it. The secret may be another one, or the body changed on the way",
		);
	if (skewSeconds !== undefined)
		lines.push(`  also:  ${tellSkew(skewSeconds)}`);
	return `${lines.join("\n")}\n`;
}

function tellSkew(seconds: number): string {
	const side = seconds > 0 ? "old" : "ahead";
	return `the timestamp is ${Math.abs(seconds)} s ${side}, which alone would refuse it`;
}
