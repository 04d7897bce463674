// The small part of Markdown in which the manual's texts are written, as man pages.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { renderTextPage } from "../../man/render-text.ts";
import { hasProgram } from "../helpers/run-shell.ts";

const program = { name: "mcp-events", version: "1.2.3", description: "" };
const render = (text: string) =>
	renderTextPage(
		program,
		{ file: "x.7.md", text: `# mcp-events-x(7): a page\n\n${text}\n` },
		{},
	)[1];

const EVERYTHING = `## A part

Words with \`--code\` and *emphasis*,
.that go on \\ "here" and 'there'. é

### Below it

- one
- another,
  on two lines

\`term\`
: What it is.
\`other\`
: What
  that is.

\`\`\`console
$ echo 'a line of more than seventy-eight characters, which a reader copies as it is' | wc -c
.not a request
'nor this
  set in

\`\`\``;

describe("a text", () => {
	it("becomes headings, paragraphs, lists and terms", () => {
		const page = render(EVERYTHING);
		expect(page).toContain(
			"\n.SH A PART\nWords with \\fB\\-\\-code\\fR and \\fIemphasis\\fR, .that",
		);
		expect(page).toContain(
			"\n.SS Below it\n.IP \\(bu 2\none\n.IP \\(bu 2\nanother, on two lines\n",
		);
		expect(page).toContain("\n.TP\n\\fBother\\fR\nWhat\nthat is.\n");
	});

	it("without a title is refused", () => {
		const page = { file: "x.7.md", text: "no title" };
		expect(() => renderTextPage(program, page, {})).toThrow(
			"man/x.7.md has no title",
		);
	});

	it.skipIf(!hasProgram("mandoc"))(
		"is shown as it was written, long lines whole (skipped without mandoc)",
		() => {
			const run = (...words: string[]) =>
				spawnSync("mandoc", words, {
					input: render(EVERYTHING),
					encoding: "utf8",
				}).stdout;
			expect(run("-T", "lint")).toBe("");
			const shown = plainly(run("-T", "utf8"));
			expect(shown).toContain(
				"$ echo 'a line of more than seventy-eight characters, which a reader copies as it is' | wc -c\n",
			);
			expect(shown).toMatch(/^ +\.not a request\n +'nor this\n {9,}set in$/m);
		},
	);
});

/** Bold letters are struck twice. */
const plainly = (text: string) =>
	text
		.split("\b")
		.map((part, at, all) => (at < all.length - 1 ? part.slice(0, -1) : part))
		.join("");
