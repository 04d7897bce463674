// Runs the checking library on a prepared schema, bounded in time.
import type { OutputUnit, Schema, Validator } from "@cfworker/json-schema";
import { Fault } from "../faults/index.ts";
import { isRecord } from "../protocol/index.ts";
import { runBounded } from "./run-bounded.ts";
import { cut, unusable } from "./schema-faults.ts";
import { type PreparedSchema, prepareSchema } from "./schema-prepare.ts";

export interface CheckResult {
	prepared: PreparedSchema;
	/** Empty where the value fits. */
	errors: OutputUnit[];
}

interface Prepared {
	prepared: PreparedSchema;
	validator: Validator;
}

/** Schemas by which a value was checked before: a thousand subscriptions to one type bring the same one. */
const checked = new WeakMap<object, Prepared>();

/**
 * Checks `value`; throws `schema-unusable` where the schema is broken, refers to itself without end, or cannot be
 * checked within `timeoutMs`.
 */
export async function checkValue(
	value: unknown,
	schema: unknown,
	{ timeoutMs }: { timeoutMs: number },
): Promise<CheckResult> {
	const { Validator } = await import("@cfworker/json-schema");
	const prepare = (): Prepared => {
		const prepared = prepareSchema(schema);
		const draft = prepared.dialect === "draft-07" ? "7" : "2020-12";
		// false: go on after the first error, for all problems are told together.
		const validator = new Validator(prepared.schema as Schema, draft, false);
		return { prepared, validator };
	};
	const check = (): CheckResult => {
		const known = isRecord(schema) ? checked.get(schema) : undefined;
		const { prepared, validator } = known ?? prepare();
		const { errors } = validator.validate(value);
		if (!known && isRecord(schema))
			checked.set(schema, { prepared, validator });
		return { prepared, errors };
	};
	try {
		// A stranger's regular expressions and nests of references can take for ever.
		return runBounded(check, timeoutMs);
	} catch (cause) {
		throw checkFault(cause, timeoutMs);
	}
}

function checkFault(cause: unknown, timeoutMs: number): Fault {
	if (cause instanceof Fault) return cause;
	const { code, message } = cause as { code?: unknown; message?: unknown };
	if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
		return unusable(
			`it could not be checked within ${timeoutMs} ms`,
			"its references or regular expressions multiply the work without bound",
			cause,
		);
	if (cause instanceof RangeError)
		return unusable(
			"it cannot be checked to its end",
			"it refers to itself without end, or has too many problems to list",
			cause,
		);
	return unusable(
		"the check failed",
		typeof message === "string" ? cut(message, 200) : "it threw no error",
		cause,
	);
}
