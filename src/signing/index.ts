export type { Cause, CauseKind } from "./cause.ts";
export type { HeaderRefusal } from "./delivery-headers.ts";
export {
	type DeliveryToExplain,
	type Explanation,
	explainMismatch,
} from "./explain.ts";
export { jwksText, parsePrivateKey } from "./private-key.ts";
export {
	type NamedPublicKey,
	parseJwks,
	parsePublicKey,
} from "./public-key.ts";
export { type NamedSecret, newSecret, parseSecret, Secret } from "./secret.ts";
export {
	type MessageToSign,
	signAsymmetrically,
	signMessage,
} from "./sign.ts";
export { tellVerdict } from "./tell-verdict.ts";
export {
	type DeliveryToVerify,
	type SignedBy,
	type Verdict,
	verifyDelivery,
} from "./verify.ts";
