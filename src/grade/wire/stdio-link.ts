// What all wires to one child share.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Agreement } from "./envelope.ts";
import type { LineDesk } from "./stdio-desk.ts";

/** The child and what both sides agreed on. */
export interface Link {
	child: ChildProcessWithoutNullStreams | undefined;
	/** How often it was started again because it had ended by itself. */
	revivals: number;
	/** While it is being started again. */
	reviving: Promise<void> | undefined;
	agreement: Agreement | undefined;
	readonly desk: LineDesk;
}

/** Nothing runs yet. */
export const openLink = (desk: LineDesk): Link => ({
	child: undefined,
	revivals: 0,
	reviving: undefined,
	agreement: undefined,
	desk,
});
