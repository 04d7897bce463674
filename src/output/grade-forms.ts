// The forms in which a report is written, and what of it each form tells.
import type { Report } from "../grade/index.ts";
import { renderGradeGithub } from "./grade-github.ts";
import { renderGradeJunit } from "./grade-junit.ts";
import { renderGradeMarkdown } from "./grade-markdown.ts";
import { renderGradeText } from "./grade-text.ts";
import type { Page } from "./pretty.ts";

export const GRADE_FORMS = [
	"text",
	"json",
	"junit",
	"github",
	"markdown",
] as const;
export type GradeForm = (typeof GRADE_FORMS)[number];

/** A report beside what was expected of it; rows are named `scenario/id`, without a prefix. */
export interface GradeToShow {
	report: Report;
	/** Failures that were said to be expected. */
	expected: readonly string[];
	/** Rows that were said to fail, and pass. */
	unexpectedPasses: readonly string[];
	/** Tell the rows that passed, too. */
	isVerbose: boolean;
}

/** The whole text, with its last line end. All that a server said in it is visible, or escaped as the form has it. */
export function renderGrade(
	shown: GradeToShow,
	form: GradeForm,
	page: Page,
): string {
	switch (form) {
		case "text":
			return renderGradeText(shown, page);
		case "json":
			return renderGradeJson(shown);
		case "junit":
			return renderGradeJunit(shown);
		case "github":
			return renderGradeGithub(shown);
		case "markdown":
			return renderGradeMarkdown(shown);
	}
}

function renderGradeJson(shown: GradeToShow): string {
	const { report, expected, unexpectedPasses } = shown;
	const baseline = { expected, unexpectedPasses };
	return `${JSON.stringify({ ...report, baseline }, null, 2)}\n`;
}
