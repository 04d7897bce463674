export { FAULT_CODES, type FaultCode } from "./codes.ts";
export { EXIT_STATUSES, type ExitName } from "./exit-codes.ts";
export { Fault, type FaultParts, type WireErrorFacts } from "./fault.ts";
export { createMask } from "./mask.ts";
export { nearestNames } from "./nearest-names.ts";
export { shellWord, splitShellWords } from "./shell-word.ts";
