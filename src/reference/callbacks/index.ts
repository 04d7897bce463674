export type {
	CallbackOptions,
	CallbackPost,
	Callbacks,
	ConsentRequest,
	HandshakeAnswer,
	HandshakeManners,
	OutgoingHandshake,
	PostAnswer,
	Verification,
} from "./callbacks.ts";
export { openCallbacks } from "./open-callbacks.ts";
