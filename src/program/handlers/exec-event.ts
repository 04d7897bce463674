// An event on its way to a command, and what is told of it: one `handled` record for each run that it was in, and one
// for each reason why it was in none.
import { Fault } from "../../faults/index.ts";
import type { CommandRun } from "../../handlers/index.ts";
import type { Claim } from "../../state/index.ts";
import type { Item, Via } from "../../tail/index.ts";

export interface ExecEvent extends Claim {
	via: Via;
	/** How it is shown, where it has not been shown before. */
	item?: Item | undefined;
}

export type HandledItem = Item & { kind: "handled" };

/** What an event's way to the command has come to. */
export interface ExecOutcome {
	/** A command handled it; undefined: it is not known here, for it was settled elsewhere. */
	isHandled: boolean | undefined;
	/** Nothing more is to be done for it: it was acted on, or parked. */
	isSettled: boolean;
	/** No command was started for it. */
	isRefused?: boolean | undefined;
}

export interface ItemFacts {
	command: string;
	nowMs: number;
	run?: CommandRun | undefined;
	fault?: Fault | undefined;
	/** How long it is until it is run again. */
	retryInMs?: number | undefined;
	/** Only the first of a batch repeats what the command wrote. */
	isFirst?: boolean | undefined;
}

export function handledItem(event: ExecEvent, facts: ItemFacts): HandledItem {
	const { run, fault, isFirst = true } = facts;
	return {
		kind: "handled",
		subscription: event.subscription,
		via: event.via,
		receivedAt: facts.nowMs,
		id: event.id,
		command: facts.command,
		status: run?.status ?? undefined,
		signal: run?.signal ?? undefined,
		isTimedOut: run?.isTimedOut ?? false,
		latencyMs: run?.latencyMs ?? 0,
		stdoutStart: isFirst ? (run?.stdoutStart ?? "") : "",
		stderrStart: isFirst ? (run?.stderrStart ?? "") : "",
		retryInMs: facts.retryInMs,
		capture: event.capture,
		fault,
	};
}

/** How one that was parked is looked at, and handed on by hand. */
export function byHand({ capture }: Pick<ExecEvent, "capture">): string {
	if (capture === undefined) return "make room for captures: --state DIR";
	return `mcp-events captures show ${capture} -o json | jq -r .body | COMMAND, or: mcp-events replay ${capture} --to URL`;
}

/** Why a run is no success, and that nothing more is tried. */
export function failedFault(
	event: ExecEvent,
	{ run, fault, tries }: { run?: CommandRun; fault?: Fault; tries: number },
): Fault {
	const next = byHand(event);
	if (fault) {
		const { code, what, why, cause } = fault;
		return new Fault(code, { what, ...(why ? { why } : {}), next, cause });
	}
	const end = run?.signal ?? `status ${run?.status}`;
	const late = run?.isTimedOut ? ", it took too long" : "";
	const often = tries > 1 ? `, ${tries} times` : "";
	const said = (run?.stderrStart || run?.stdoutStart || "").trim();
	return new Fault("handler-failed", {
		what: `the command ended with ${end}${late}${often}`,
		...(said ? { why: said.slice(0, 300) } : {}),
		next,
	});
}

/** A command was under way, or about to be run again, when an earlier run of ours was cut off. */
export function doubtFault(event: ExecEvent, hasFailed: boolean): Fault {
	return new Fault("in-doubt", {
		what: hasFailed
			? "an earlier run was cut off before it ran the command again, which had failed"
			: "an earlier run was cut off while the command was run: whether it has acted is not known",
		why: "it is not run again: nothing is to be acted on twice",
		next: byHand(event),
	});
}
