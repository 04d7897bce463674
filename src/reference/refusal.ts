// What the server answers in place of a result: an error by the contract's name. Its number is chosen when it is written.
import {
	CORE_CODES,
	type SEP_CODES,
	type WireErrorName,
} from "../protocol/index.ts";

/** Numbers of the events errors; another profile hands in another table. */
export type ErrorNumbers = Readonly<Record<keyof typeof SEP_CODES, number>>;

type Data = Record<string, unknown>;

export class Refusal extends Error {
	override readonly name = "Refusal";
	readonly error: Exclude<WireErrorName, "Unknown">;
	readonly data: Data | undefined;
	/** Where HTTP says more than the usual status of this error. */
	readonly httpStatus: number | undefined;

	constructor(
		error: Exclude<WireErrorName, "Unknown">,
		message: string,
		more: { data?: Data; httpStatus?: number } = {},
	) {
		super(message);
		this.error = error;
		this.data = more.data;
		this.httpStatus = more.httpStatus;
	}

	/** The JSON-RPC `error` member. */
	toWire(numbers: ErrorNumbers) {
		const all: Record<string, number> = { ...CORE_CODES, ...numbers };
		return {
			code: all[this.error],
			message: this.message,
			...(this.data && { data: this.data }),
		};
	}
}

/** InvalidParams, the refusal that most checks end in. */
export const invalidParams = (message: string) =>
	new Refusal("InvalidParams", message);
