export {
	ALL_SCENARIOS,
	type CatalogueRow,
	PROFILES,
	type Profile,
	rowKey,
	SCENARIOS,
	type Scenario,
} from "./catalogue/row.ts";
export { CATALOGUE, findRows } from "./catalogue/rows.ts";
export { mergeReports } from "./compare.ts";
export { gradeServer, type Progress } from "./grade-server.ts";
export type { GradeOptions, GradePieces, ReceiverPlace } from "./options.ts";
export type { Readiness } from "./readiness.ts";
export type { Counts, Report } from "./report.ts";
export { countVerdicts } from "./report.ts";
export { type GradedRow, VERDICTS, type VerdictWord } from "./verdict.ts";
export type { WireMessage } from "./wire/record.ts";
