// Captures for people: the table of `captures list` and the page of `captures show`. All of it is a sender's text.
import { isUtf8 } from "node:buffer";
import type { Capture } from "../captures/index.ts";
import { indentJson } from "./indent-json.ts";
import type { Page } from "./pretty.ts";
import { type Column, renderTable } from "./table.ts";
import { visibleJsonText, visibleLine, visibleText } from "./visible-text.ts";

/** One line of the table. What is no event is named by its subscription. */
export interface CaptureRow {
	id: string;
	receivedAtMs: number;
	subscription: string;
	event: string;
	verdict: string;
	status: number | null;
}

export interface CaptureToShow {
	capture: Capture;
	/** What the signature's verdict means, in words; "" where there is nothing to add to its kind. */
	told: string;
	isJson: boolean;
}

const COLUMNS: readonly Column[] = [
	{ title: "ID", style: "name", isFixed: true },
	{ title: "RECEIVED", isFixed: true },
	{ title: "EVENT" },
	{ title: "VERDICT" },
	{ title: "ANSWER", isFixed: true },
];

const LONGEST_LINE = 8_192;

export function renderCaptureTable(
	rows: readonly CaptureRow[],
	page: Page,
): string {
	const cells = rows.map((row) => [
		row.id,
		timeText(row.receivedAtMs),
		row.event === "" ? row.subscription : row.event,
		row.verdict,
		row.status === null ? "" : String(row.status),
	]);
	return `${renderTable(COLUMNS, cells, page)}\n`;
}

/** Everything that is known of one capture: where, when, verdict, headers in their order, body. */
export function renderCapture(
	{ capture, told, isJson }: CaptureToShow,
	page: Page,
): string {
	const { palette } = page;
	const { id, receivedAtMs, method, path, verdict, answer } = capture;
	const isValid = verdict.kind === "valid";
	const kind = (isValid ? palette.literal : palette.failure)(
		visibleLine(verdict.kind, 80),
	);
	const words = told === "" ? "" : `, ${visibleLine(told)}`;
	const facts: [string, string][] = [
		["received", new Date(receivedAtMs).toISOString()],
		["request", visibleLine(`${method} ${path}`, LONGEST_LINE)],
		["verdict", kind + words],
		["answer", answer.status === null ? "not known" : String(answer.status)],
	];
	if (capture.subscription !== undefined)
		facts.splice(1, 0, ["for", visibleLine(capture.subscription, 400)]);
	const headers = capture.headers.map(
		([name, value]) =>
			`${palette.key(`${visibleLine(name, 200)}:`)} ${visibleLine(value, LONGEST_LINE)}`,
	);
	return [
		palette.heading(visibleLine(id, 200)),
		...facts.map(([name, text]) => `${palette.faint(name.padEnd(9))}${text}`),
		"",
		...headers,
		"",
		...bodyLines(capture.body, isJson),
		"",
	].join("\n");
}

function bodyLines(body: Buffer, isJson: boolean): string[] {
	if (body.length === 0) return ["(no body)"];
	if (!isUtf8(body))
		return [
			`(${body.length} bytes that are not UTF-8, in base64)`,
			...(body.toString("base64").match(/.{1,76}/g) ?? []),
		];
	const text = body.toString("utf8");
	if (!isJson) return [visibleText(text, { multiline: true })];
	return indentJson(text).split("\n").map(visibleJsonText);
}

/** The local time, short: an id must fit beside it in 80 columns. */
function timeText(ms: number): string {
	const at = new Date(ms);
	const two = (number: number) => String(number).padStart(2, "0");
	const day = [at.getMonth() + 1, at.getDate()].map(two).join("-");
	const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two);
	return `${day} ${time.join(":")}`;
}
