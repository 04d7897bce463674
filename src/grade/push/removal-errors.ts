// The errors with which subscriptions end: that of an event type that went away, and that of one changed in place.
import { excerpt, isRecord } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { isErrorOf } from "../error-names.ts";
import { broken, type Finding, holds, odd } from "../finding.ts";
import { tellError } from "../wire/answer.ts";
import type { Frame } from "../wire/frame.ts";

/** NotFound, and of which kind of thing. */
export function judgeNotFound(
	error: NonNullable<Frame["error"]>,
	frame: Frame,
	{ profile }: GradeContext,
): Finding {
	const kind = isRecord(error.data) ? error.data.kind : undefined;
	const told = `the end of a removed type: ${tellError(error)} with data.kind ${excerpt(kind, 60)}`;
	if (!isErrorOf(error, "NotFound", profile)) return broken(told, frame);
	if (kind === undefined) return odd(told, frame);
	return kind === "event" ? holds(told, frame) : broken(told, frame);
}

/** Unsupported, naming the schema that changed. */
export function judgeChanged(
	error: NonNullable<Frame["error"]>,
	frame: Frame,
	{ profile }: GradeContext,
): Finding {
	const { feature, reason } = isRecord(error.data) ? error.data : {};
	const told = `the end of a type changed in place: ${tellError(error)} with data ${excerpt(error.data, 120)}`;
	const isRight =
		isErrorOf(error, "Unsupported", profile) &&
		(feature === "inputSchema" || feature === "payloadSchema") &&
		reason === "schema_changed";
	return isRight ? holds(told, frame) : broken(told, frame);
}
