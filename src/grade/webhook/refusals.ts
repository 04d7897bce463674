// Subscribes that have to be refused: secrets that are none, and callbacks that are not https (events.md 6, Subscribe).
import { randomBytes } from "node:crypto";
import { METHODS } from "../../protocol/index.ts";
import { isErrorOf } from "../error-names.ts";
import { broken, type Finding, holds, odd, untestable } from "../finding.ts";
import type { Subscribed } from "../receiving/subscriptions.ts";
import type { Check } from "../scenario.ts";
import { errorOf, resultOf, tellAnswer } from "../wire/answer.ts";
import { notTaken, subscribedRow, type WebhookGround } from "./ground.ts";

interface Refused {
	what: string;
	subscribed: Subscribed;
}

const URL_IDS = [
	"subscribe-url-https-required",
	"subscribe-url-non-https-rejected",
] as const;

export const refusalChecks: Check<WebhookGround>[] = [
	subscribedRow("subscribe-secret-required", async ({ wire }, ground) => {
		const { subject, newCallback } = ground;
		const { url } = newCallback();
		const key = { name: subject.name, arguments: subject.arguments };
		const answer = await wire.ask(METHODS.subscribe, {
			...key,
			delivery: { mode: "webhook", url },
			cursor: null,
		});
		if (resultOf(answer))
			await wire.ask(METHODS.unsubscribe, { ...key, delivery: { url } });
		return judgeAnswer("a subscribe without a secret", answer);
	}),

	subscribedRow("subscribe-secret-format", async (_context, ground) => {
		const bare = randomBytes(32).toString("base64");
		const without = await trySecret("a secret without whsec_", bare, ground);
		if (errorOf(without.subscribed.answer)?.name !== "InvalidParams")
			return judge([without]);
		const right: Subscribed[] = [];
		for (const size of [24, 64]) {
			const secret = whsec(randomBytes(size).toString("base64"));
			const taken = await ground.subscribe({ ...ground.newCallback(), secret });
			const { answer } = taken;
			await taken.release();
			if (errorOf(answer)?.name === "InvalidParams")
				return broken(
					`a secret of ${size} bytes, which is right: ${tellAnswer(answer)}`,
					answer,
				);
			if (!taken.result) return notTaken(ground, taken);
			right.push(taken);
		}
		return holds(
			`without whsec_ it is refused (${tellAnswer(without.subscribed.answer)}), with 24 and 64 bytes it is taken`,
			without.subscribed.answer,
			...right.map(({ answer }) => answer),
		);
	}),

	subscribedRow("subscribe-secret-rejected", async (_context, ground) => {
		const tried: Refused[] = [];
		for (const size of [8, 23, 65])
			tried.push(
				await trySecret(
					`a secret of ${size} bytes`,
					whsec(randomBytes(size).toString("base64")),
					ground,
				),
			);
		const noBase64 = whsec(`${"!".repeat(40)}=`);
		tried.push(await trySecret("whsec_ and no base64", noBase64, ground));
		return judge(tried);
	}),

	{
		ids: URL_IDS,
		async run(_context, ground) {
			if (!ground.main.result) {
				const lacking = notTaken(ground, ground.main);
				return Object.fromEntries(URL_IDS.map((id) => [id, lacking]));
			}
			const http = await tryUrl("http", ground);
			const others = [await tryUrl("ftp", ground), await tryUrl("ws", ground)];
			return {
				"subscribe-url-https-required": judgeHttp(http),
				"subscribe-url-non-https-rejected": judgeSchemes(http, others),
			};
		},
	},

	subscribedRow("error-unsupported", async (context, ground) => {
		const { subjects, profile } = context;
		const other = await subjects.withoutMode("webhook");
		if (!other)
			return untestable(
				{ kind: "traffic", name: "an event type without webhook" },
				"every type of the catalogue offers it",
			);
		const { url } = ground.newCallback();
		const taken = await ground.subscribe({ subject: other, url });
		const { answer } = taken;
		await taken.release();
		const told = `webhook for ${other.name}, which does not list it: ${tellAnswer(answer)}`;
		const error = errorOf(answer);
		if (!error) return taken.result ? broken(told, answer) : odd(told, answer);
		if (!isErrorOf(error, "Unsupported", profile)) return odd(told, answer);
		const feature = Object(error.data).feature;
		return typeof feature === "string" || profile !== "final"
			? holds(`${told}, data.feature ${JSON.stringify(feature)}`, answer)
			: odd(`${told}; data.feature does not say what is lacking`, answer);
	}),
];

/** https-required: whether http is taken. */
function judgeHttp({ what, subscribed }: Refused): Finding {
	const { answer, result } = subscribed;
	if (result) return broken(`${what} was taken`, answer);
	return errorOf(answer)
		? holds(`${what} is refused: ${tellAnswer(answer)}`, answer)
		: unread(answer);
}

/** non-https-rejected: how http and other schemes are refused; that http is taken is told by the row above. */
function judgeSchemes(http: Refused, others: Refused[]): Finding {
	const isTaken = http.subscribed.result !== undefined;
	if (isTaken && others.every(({ subscribed }) => !subscribed.result))
		return untestable(
			{ kind: "answer", name: "a refusal of an http callback" },
			"it was taken; subscribe-url-https-required tells of it",
			http.subscribed.answer,
		);
	return judge(isTaken ? others : [http, ...others]);
}

/** All of them have to be refused with InvalidParams; the first that is not decides. */
function judge(tried: readonly Refused[]): Finding {
	const findings = tried.map(({ what, subscribed }) =>
		judgeAnswer(what, subscribed.answer),
	);
	const wrong = ["FAILURE", "WARNING"].flatMap((severity) =>
		findings.filter(
			(finding) =>
				finding.kind === "broken" && (finding.as ?? "FAILURE") === severity,
		),
	);
	const untried = findings.find(({ kind }) => kind === "untestable");
	const found = wrong[0] ?? untried;
	if (found) return found;
	const told = tried.map(
		({ what, subscribed }) => `${what}: ${tellAnswer(subscribed.answer)}`,
	);
	return holds(
		told.join("; "),
		...tried.map(({ subscribed }) => subscribed.answer),
	);
}

function judgeAnswer(what: string, answer: Subscribed["answer"]): Finding {
	const told = `${what}: ${tellAnswer(answer)}`;
	if (resultOf(answer)) return broken(told, answer);
	const error = errorOf(answer);
	if (!error) return unread(answer);
	return error.name === "InvalidParams"
		? holds(told, answer)
		: odd(`${told}, where InvalidParams is the error for it`, answer);
}

const unread = (answer: Subscribed["answer"]): Finding =>
	untestable(
		{ kind: "answer", name: "events/subscribe with a JSON-RPC error" },
		`what has to be refused was answered with ${tellAnswer(answer)}`,
		answer,
	);

async function trySecret(
	what: string,
	secret: string,
	{ subscribe, newCallback }: WebhookGround,
): Promise<Refused> {
	const { url } = newCallback();
	return { what, subscribed: await tryOne(subscribe({ url, secret })) };
}

/** Of a name that never resolves, so that nobody is called should it be taken. */
async function tryUrl(
	scheme: string,
	{ subscribe }: WebhookGround,
): Promise<Refused> {
	const url = `${scheme}://conformance.invalid/mcp-events`;
	return {
		what: `the callback ${url}`,
		subscribed: await tryOne(subscribe({ url })),
	};
}

/** Given back at once: what was not refused would hold a place. */
async function tryOne(work: Promise<Subscribed>): Promise<Subscribed> {
	const subscribed = await work;
	if (subscribed.result) await subscribed.release();
	return subscribed;
}

const whsec = (text: string) => `whsec_${text}`;
