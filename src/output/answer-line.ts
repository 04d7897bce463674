// How one attempt to deliver went, for people. Ids and answers may be anybody's text.
import type { Fault } from "../faults/index.ts";
import type { Page } from "./pretty.ts";
import { visibleLine } from "./visible-text.ts";

export interface AnswerToShow {
	/** What was sent: a capture, or a name for what is new. */
	name: string;
	webhookId: string;
	attempt: number;
	answer: { status: number; latencyMs: number; bodyStart: string } | undefined;
	fault: Fault | undefined;
	/** What else there is to say of it. */
	remark?: string;
}

const LONGEST_BODY = 200;

/** One line, and for a fault up to three. */
export function renderAnswer(shown: AnswerToShow, page: Page): string {
	const { palette } = page;
	const { name, webhookId, attempt, answer, fault } = shown;
	const parts = [
		palette.name(visibleLine(name, 120)),
		palette.faint(visibleLine(webhookId, 120)),
	];
	if (attempt > 1) parts.push(palette.faint(`attempt ${attempt}`));
	if (answer) {
		const isGood = answer.status >= 200 && answer.status < 300;
		const paint = isGood ? palette.literal : palette.failure;
		parts.push(
			paint(String(answer.status)),
			palette.faint(`${Math.round(answer.latencyMs)}ms`),
		);
		const body = answer.bodyStart.trim();
		if (body !== "") parts.push(visibleLine(body, LONGEST_BODY));
	} else parts.push(palette.failure("no answer"));
	const lines = [parts.join(" ")];
	if (shown.remark) lines.push(`  ${visibleLine(shown.remark)}`);
	if (fault) lines.push(`  ${visibleLine(fault.what)}`);
	if (fault?.why)
		lines.push(`  ${palette.faint("why:")} ${visibleLine(fault.why)}`);
	return `${lines.join("\n")}\n`;
}
