export type {
	CallbackOptions,
	CallbackPost,
	Callbacks,
	ConsentRequest,
	PostAnswer,
	Verification,
} from "./callbacks.ts";
export { openCallbacks } from "./open-callbacks.ts";
