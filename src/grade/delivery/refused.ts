// Events that the endpoint refuses for good, with 410 or 413: not sent again, and no reason to end the subscription.
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { answerStatus } from "../receiving/behaviour.ts";
import type { CallbackRequest } from "../receiving/callback-request.ts";
import { noEvent, type Probe, refusedProbe, type Stage } from "./stage.ts";

/** Events that are refused: of one alone, the answer may have been lost on the way. */
const REFUSED_EVENTS = 3;

/** Refuses the first few events, however often they come, and takes the others. */
export const openRefusing = (stage: Stage, status: number): Promise<Probe> =>
	stage.open({
		behaviour: {
			delivery: ({ nth }) => answerStatus(nth <= REFUSED_EVENTS ? status : 204),
		},
	});

export function judgeRefused(
	probe: Probe,
	about: { status: number; isRetrying: boolean; stage: Stage },
): Finding {
	const { status, isRetrying, stage } = about;
	const { path, sub } = probe;
	if (!sub.result) return refusedProbe(probe);
	const refused = path.events.filter(({ attempt }) => attempt === 1);
	const [first, later] = refused;
	if (!first) return noEvent(sub.answer);
	const series = refused.slice(0, REFUSED_EVENTS).map(path.attemptsOf, path);
	const again = series.filter((attempts) => attempts.length > 1);
	if (again.length * 2 > series.length)
		return broken(
			`${again.length} of ${series.length} events that were answered ${status} were sent again`,
			...again.flat(),
		);
	if (!isRetrying)
		return untestable(
			{ kind: "traffic", name: "a retry of a delivery that was answered 503" },
			"the event was not sent again, as nothing is that fails with 503 either",
			first,
		);
	if (later)
		return holds(
			`${series.length} events were answered ${status} and not sent again; ${refused.length - 1} came later`,
			first,
			later,
		);
	const elsewhere = laterThan(first, stage.main);
	return status === 410 && elsewhere.length > 1
		? broken(
				`no event came after one was answered 410, and ${elsewhere.length} came elsewhere: the subscription is gone`,
				first,
				...elsewhere.slice(0, 2),
			)
		: holds(`one attempt, answered ${status}`, first);
}

const laterThan = ({ atMs }: CallbackRequest, { path }: Probe) =>
	path.events.filter((event) => event.atMs > atMs);
