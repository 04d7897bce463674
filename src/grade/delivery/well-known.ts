// The receiver's own document: asked for on https alone, by the guarded path, and no further than its prefixes.
import type { GradeContext } from "../context.ts";
import {
	broken,
	type Finding,
	holds,
	skipped,
	untestable,
} from "../finding.ts";
import { redirectTo } from "../receiving/behaviour.ts";
import { COVERED_PREFIX } from "../receiving/callback-receiver.ts";
import {
	type CallbackRequest,
	headerOf,
	isChallenge,
} from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import { deliveryRow, noEvent, type Probe, type Stage } from "./stage.ts";

export const wellKnownChecks: Check<Stage>[] = [
	deliveryRow("well-known-document-honoured", tryDocument, {
		lane: "document",
	}),
];

async function tryDocument(
	context: GradeContext,
	stage: Stage,
): Promise<Finding> {
	const { place, main } = stage;
	const isHttps = place.base.startsWith("https:");
	const covered = await stage.open({ isCovered: true });
	const event = covered.sub.result && (await stage.nextEvent(covered.path));
	await covered.sub.release();
	const fetches = place.receiver.documentRequests;
	if (!asked(main) && fetches[0] && stage.firstEvent)
		return broken(
			`the document names ${COVERED_PREFIX} alone, and was taken for the consent of another path${isHttps ? "" : ", over plain http"}`,
			fetches[0],
			stage.firstEvent,
		);
	if (!event) return noEvent(covered.sub.answer);
	if (!isHttps && (asked(covered) || fetches.length === 0))
		return needsHttps(...fetches);
	if (!isHttps)
		return broken("the document was honoured over plain http", event);
	if (fetches.length === 0)
		return skipped("the server asks by handshake and fetches no document");
	if (asked(covered))
		return skipped("the server fetches the document and asks all the same");
	return await tryRedirectedDocument(context, stage, [...fetches, event]);
}

const asked = ({ path }: Probe) => path.requests.some(isChallenge);

const needsHttps = (...cites: CallbackRequest[]) =>
	untestable(
		{
			kind: "flag",
			name: "--tls-cert FILE --tls-key FILE, or --public-url URL, with a certificate that the server trusts",
		},
		"the document counts on https alone; over http it was not taken for consent",
		...cites,
	);

/** The same receiver by another name is another origin, whose document nobody has kept yet. */
async function tryRedirectedDocument(
	{ waits }: GradeContext,
	stage: Stage,
	cites: CallbackRequest[],
): Promise<Finding> {
	const { place } = stage;
	const { receiver } = place;
	const honoured = `honoured under ${COVERED_PREFIX} and nowhere else`;
	const host = `localhost:${receiver.port}`;
	if (place.isPublic || (await place.allow(`https://${host}`)))
		return holds(honoured, ...cites);
	const trap = place.openPath();
	const before = receiver.document;
	receiver.document = (request) =>
		headerOf(request, "host") === host ? redirectTo(trap.url) : before(request);
	const probe = await stage.open({
		base: `https://${host}`,
		isCovered: true,
	});
	const followed = await trap.waitFor(() => true, waits.afterCancelMs);
	await probe.sub.release();
	receiver.document = before;
	return followed
		? broken("the redirect of a document was followed", followed)
		: holds(`${honoured}; a redirected one is not followed`, ...cites);
}
