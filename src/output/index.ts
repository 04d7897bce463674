export { type AnswerToShow, renderAnswer } from "./answer-line.ts";
export type { BatchWatch } from "./batch-writer.ts";
export {
	type CaptureRow,
	type CaptureToShow,
	renderCapture,
	renderCaptureTable,
} from "./capture-page.ts";
export {
	type CatalogueEntry,
	renderCatalogue,
	renderDescription,
	type SchemaRow,
	type SchemaText,
} from "./catalogue.ts";
export { PLAIN } from "./colors.ts";
export { wrap } from "./display-width.ts";
export { renderFault } from "./fault-text.ts";
export { type ExplainedRule, renderExplainedRule } from "./grade-explain.ts";
export {
	GRADE_FORMS,
	type GradeForm,
	type GradeToShow,
	renderGrade,
} from "./grade-forms.ts";
export type { Form } from "./item-writer.ts";
export { type Output, type OutputPieces, openOutput } from "./open-output.ts";
export type { Page } from "./pretty.ts";
export {
	RECORD_COMMON_FIELDS,
	RECORD_KINDS,
	type RecordField,
	type RecordKind,
} from "./record-kinds.ts";
export { ReaderGone } from "./stdout.ts";
export { type Column, renderTable } from "./table.ts";
export { renderVerdict, type VerdictToShow } from "./verdict.ts";
export { visibleText } from "./visible-text.ts";
