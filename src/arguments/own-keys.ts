// Plain objects whose keys come from a stranger: `__proto__` is a key like any other, never the prototype.
import { isRecord } from "../protocol/index.ts";

/** Sets a key as data, whatever its name. */
export function setOwn(
	target: Record<string, unknown>,
	key: string,
	value: unknown,
): void {
	Object.defineProperty(target, key, {
		value,
		enumerable: true,
		writable: true,
		configurable: true,
	});
}

/**
 * `base` with `overrides` on top, as `--args` with `-a` on top: objects are merged key by key, all else is replaced.
 * Neither is changed.
 */
export function mergeArguments(
	base: Record<string, unknown>,
	overrides: Record<string, unknown>,
): Record<string, unknown> {
	const merged: Record<string, unknown> = {};
	for (const [key, value] of Object.entries(base)) setOwn(merged, key, value);
	for (const [key, value] of Object.entries(overrides)) {
		const below = Object.hasOwn(merged, key) ? merged[key] : undefined;
		const both =
			isRecord(below) && isRecord(value) ? mergeArguments(below, value) : value;
		setOwn(merged, key, both);
	}
	return merged;
}
