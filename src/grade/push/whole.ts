// What holds for every stream of the scenario, looked at when all was said.
import {
	excerpt,
	isRecord,
	METHODS,
	NOTIFICATIONS,
} from "../../protocol/index.ts";
import { resultTypeCheck, schemaCheck } from "../closing-checks.ts";
import { broken, holds, untestable } from "../finding.ts";
import { type Frame, subscriptionOf } from "../wire/frame.ts";
import type { GradeStream } from "../wire/stream.ts";
import { type PushGround, pushRow } from "./ground.ts";

const CLOSING = { phase: "closing" } as const;
const MOST_CITES = 8;

interface Told {
	frame: Frame;
	stream: GradeStream;
}

export const wholeChecks = [
	pushRow(
		"stream-subscription-id-meta",
		async (_context, ground) => {
			const told = notificationsOf(ground);
			if (told.length === 0)
				return untestable(
					{ kind: "traffic", name: "a notification on a stream" },
					"none came",
					ground.main,
				);
			const wrong = told.filter(
				({ frame, stream }) => subscriptionOf(frame) !== stream.id,
			);
			const [first] = wrong;
			const ids = new Set(told.map(({ stream }) => stream.id));
			return first
				? broken(
						`the subscription id is ${excerpt(subscriptionOf(first.frame), 80)} on ${first.frame.method} of the request ${excerpt(first.stream.id, 80)}; so on ${wrong.length} of ${told.length} notifications`,
						...oneOfEach(wrong),
					)
				: holds(
						`on all ${told.length} notifications of ${ids.size} streams`,
						...oneOfEach(told),
					);
		},
		CLOSING,
	),

	pushRow(
		"stream-carries-only-event-notifications",
		async (_context, ground) => {
			const all = everyFrame(ground);
			if (all.length === 0)
				return untestable(
					{ kind: "traffic", name: "a message on a stream" },
					"none came",
					ground.main,
				);
			const strange = all.filter(isStrange);
			const [first] = strange;
			return first
				? broken(
						`${tellFrame(first)} came on a stream; so did ${strange.length} of ${all.length} messages`,
						...strange.slice(0, MOST_CITES).map(({ frame }) => frame),
					)
				: holds(
						`${all.length} messages, each an events notification or the answer of its request`,
						...all.slice(0, 2).map(({ frame }) => frame),
					);
		},
		CLOSING,
	),

	pushRow(
		"error-notification-shape",
		async ({ controls }, ground) => {
			const told = notificationsOf(ground)
				.map(({ frame }) => frame)
				.filter(
					({ method }) =>
						method === NOTIFICATIONS.error ||
						method === NOTIFICATIONS.terminated,
				);
			if (told.length === 0)
				return (
					controls.missing("yieldError", "terminate") ??
					untestable(
						{
							kind: "traffic",
							name: "an error or a terminated notification",
						},
						"none came, though the controls were fired",
						ground.main,
					)
				);
			const wrong = told.filter(({ params }) => !isWireError(params.error));
			const [first] = wrong;
			return first
				? broken(
						`the error of ${first.method} is ${excerpt(first.params.error, 160)}`,
						...wrong,
					)
				: holds(
						`so on ${told.length} notifications`,
						...told.slice(0, MOST_CITES),
					);
		},
		{
			...CLOSING,
			leansOn: [
				"stream-error-is-recoverable",
				"stream-terminated-ends-subscription",
			],
		},
	),

	resultTypeCheck<PushGround>(
		[METHODS.stream],
		"events/stream, at the end of a stream that the server ends",
		["stream-terminated-ends-subscription"],
	),
	schemaCheck<PushGround>(),
];

const everyFrame = ({ streams }: PushGround): Told[] =>
	streams.flatMap((stream) =>
		stream.frames.map((frame) => ({ frame, stream })),
	);

const notificationsOf = (ground: PushGround): Told[] =>
	everyFrame(ground).filter(
		({ frame }) => frame.kind === "notification" && isOfEvents(frame),
	);

/** list_changed is one of the catalogue, and stands on another stream. */
const isOfEvents = ({ method }: Frame) =>
	method.startsWith("notifications/events/") &&
	method !== NOTIFICATIONS.listChanged;

function isStrange({ frame, stream }: Told): boolean {
	if (frame.kind === "notification") return !isOfEvents(frame);
	if (frame.kind === "result") return frame.id !== stream.id;
	// An error may come before the id could be read.
	if (frame.kind === "error") return frame.id !== stream.id && frame.id != null;
	return true;
}

const tellFrame = ({ frame }: Told) =>
	frame.method === ""
		? `a ${frame.kind} with the id ${excerpt(frame.id, 60)}`
		: `the ${frame.kind} ${excerpt(frame.method, 80)}`;

/** One notification of each method stands for all of it. */
function oneOfEach(told: readonly Told[]): Frame[] {
	const first = new Map<string, Frame>();
	for (const { frame } of told)
		if (!first.has(frame.method)) first.set(frame.method, frame);
	return [...first.values()];
}

const isWireError = (error: unknown) =>
	isRecord(error) &&
	Number.isInteger(error.code) &&
	typeof error.message === "string" &&
	(error.data === undefined || isRecord(error.data));
