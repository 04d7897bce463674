export type { Claim, ClaimState } from "./claim-file.ts";
export {
	type Claimed,
	type Claims,
	type ClaimsKey,
	type ClaimsOptions,
	openClaims,
} from "./claims.ts";
export { syncFolder, writeDurably } from "./durable-file.ts";
export { readJsonFile, writeJsonFile } from "./json-file.ts";
export {
	type Lock,
	type LockOptions,
	lockHolder,
	mayLive,
	type Owner,
	takeLock,
} from "./lock.ts";
export { type Mark, openMark } from "./mark.ts";
export { Places } from "./places.ts";
export {
	openPosition,
	type PositionKey,
	type PositionOptions,
	readStealMark,
	type SavedPosition,
	takenOver,
} from "./position-file.ts";
export {
	type Credential,
	type PrincipalOptions,
	principalOf,
} from "./principal.ts";
export { prunePositions, UNUSED_DAYS } from "./prune-positions.ts";
export {
	openRegistry,
	type Registered,
	type Registry,
	type RegistryOptions,
} from "./registry.ts";
export type { SettledHow } from "./settled-log.ts";
export { resolveStateFolder } from "./state-folder.ts";
export {
	isRecordOf,
	type ListedSubscription,
	type SubscriptionFacts,
	type SubscriptionRecord,
} from "./subscription-record.ts";
