export { exampleArguments } from "./example.ts";
export {
	type ExplainedRow,
	type Explanation,
	explainSchema,
} from "./explain.ts";
export { argumentFlags } from "./flags.ts";
export { mergeArguments } from "./own-keys.ts";
export { parseArguments } from "./parse.ts";
export { parseArgumentsJson } from "./parse-json.ts";
export {
	type CheckOptions,
	findProblems,
	validateArguments,
} from "./validate.ts";
