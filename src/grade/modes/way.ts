// One mode as it is followed: opened at a position, then looked at again and again until the window is over.
import type { DeliveryMode } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import type { Finding } from "../finding.ts";
import type { Subject } from "../traffic/subject.ts";
import type { Citable } from "../wire/record.ts";
import type { Trail } from "../wire/trail.ts";
import type { Wire } from "../wire/wire.ts";
import type { ModeLog } from "./mode-log.ts";
import type { ComparedWindow } from "./window.ts";

export interface Way {
	mode: DeliveryMode;
	/** The position from which it brings events; undefined where it told none. */
	cursor: string | undefined;
	/** It was given the position of another way, and went on from there. */
	isFromPosition: boolean;
	opening: Citable;
	/** Puts what has come since the last time into the window. */
	look(window: ComparedWindow, log: ModeLog): void;
	/** What it does by itself until the window is over. */
	run?(window: ComparedWindow, log: ModeLog): Promise<void>;
	close(): Promise<void>;
}

export type Opened =
	| { kind: "open"; way: Way }
	/** The finding of the rows, were it the last of the modes. */
	| { kind: "left-out"; finding: Finding };

export interface Opening {
	context: GradeContext;
	/** Keeps no trail: what is compared is looked at here, and may be more than is worth keeping. */
	wire: Wire;
	subject: Subject;
	/** Where another mode begins; null where this one is the first, or the others told none. */
	cursor: string | null;
}

export const leftOut = (finding: Finding): Opened => ({
	kind: "left-out",
	finding,
});

/** Other scenarios keep what was said for the rules that look at all of it. */
export const NO_TRAIL: Trail = {
	inbound: [],
	answers: [],
	dropped: 0,
	addFrame() {},
	addAnswer() {},
};
