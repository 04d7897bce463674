import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { renderGradeMarkdown } from "../../src/output/grade-markdown.ts";
import { SHOWN } from "./grade-report.ts";

/** A report in which the server says this wherever it is heard. */
function render(said: string): string {
	const { report } = SHOWN;
	const rows = report.rows.map((row) => ({ ...row, message: said }));
	const server = { ...report.server, label: said };
	const reasons = [said];
	const readiness = { verdict: "refused", told: said, reasons } as const;
	return renderGradeMarkdown({
		...SHOWN,
		report: { ...report, rows, server, readiness: { ...readiness, reasons } },
	});
}

describe("markdown", () => {
	it("is a table of counts, and one of what did not pass", () => {
		const text = renderGradeMarkdown(SHOWN);
		expect(text).toContain("| events-poll | 1 | 2 | 1 | 1 | 1 |");
		expect(text).toContain(
			"| expected failure | `sep-3415-known` (events-poll, must) | known to fail |",
		);
		expect(text).not.toContain("sep-3415-passes");
	});

	it("tells first what counts against the server, and last what was not tried", () => {
		const rows = SHOWN.report.rows.toReversed();
		const unexpectedPasses = ["events-poll/passes"];
		const report = { ...SHOWN.report, rows };
		const text = renderGradeMarkdown({ ...SHOWN, report, unexpectedPasses });
		expect(
			[...text.matchAll(/^\| ([a-z ]+) \| `/gm)].map(([, is]) => is),
		).toEqual([
			"failure",
			"unexpected pass",
			"expected failure",
			"warning",
			"untestable",
		]);
	});

	it("lets no text of a server become a cell, a tag or code", () => {
		const line = renderGradeMarkdown(SHOWN)
			.split("\n")
			.find((text) => text.includes("sep-3415-fails"));
		expect(line?.match(/\|/g)).toHaveLength(4);
		expect(line).not.toContain("<b>");
	});

	it("calls nobody, and refers to no issue", () => {
		const text = render("@somebody, see #1");
		expect(text).toContain("&#64;&#8203;somebody, see &#35;&#8203;1 |");
	});
});

const RENDERER = "cmark-gfm";
const hasRenderer = spawnSync(RENDERER, ["--version"]).status === 0;

/** As a page, by the renderer of Debian, with all that it knows. */
function pageOf(markdown: string): string {
	const extensions = ["table", "autolink", "strikethrough"];
	const args = extensions.flatMap((name) => ["-e", name]);
	return execFileSync(RENDERER, [...args, "--unsafe"], {
		input: markdown,
		encoding: "utf8",
	});
}

describe.skipIf(!hasRenderer)("a page of it (needs cmark-gfm)", () => {
	it.each([
		["a pipe", "a|b", "a|b"],
		["an escaped pipe", "a\\|b", "a\\|b"],
		["code", "`a|b` ```", "`a|b` ```"],
		["a tag", "<img src=x>", "&lt;img src=x&gt;"],
		["a reference", "&lt;b&gt;", "&amp;lt;b&amp;gt;"],
		["lines", "a\n| b | c |\n\n# d", "a\\u000a| b | c |\\u000a\\u000a# d"],
		["a link", "[a](https://b.example)", "[a](https://b.example)"],
		["an address", "<https://a.example>", "&lt;https://a.example&gt;"],
		["an address alone", "see www.a.example/b", "see www.a.example/b"],
		["a mailbox", "a.b@c.example", "a.b@c.example"],
		["emphasis", "**a** _b_ ~~c~~", "**a** _b_ ~~c~~"],
		["a last backslash", "a\\", "a\\"],
	])("shows %s of a server as it is", (_what, said, shown) => {
		const page = pageOf(render(said)).replaceAll("\u200b", "");
		expect(page).toContain(`<h2>MCP Events: ${shown}</h2>`);
		expect(page.split(`<td>${shown}</td>`)).toHaveLength(5);
		expect(page).toContain(`<p><strong>${shown}</strong></p>`);
		expect(page).toContain(`<li>${shown}</li>`);
	});
});
