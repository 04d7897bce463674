// What holds for all that was said in discovery.
import { METHODS } from "../../protocol/index.ts";
import { resultTypeCheck, schemaCheck } from "../closing-checks.ts";

export const closingChecks = [
	resultTypeCheck<undefined>([METHODS.list], "events/list"),
	schemaCheck<undefined>(),
];
