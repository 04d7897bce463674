// When a path lies below a prefix: whole segments only, and nothing that a server could read as another path.

/** An encoded slash or backslash: a server may decode it, and then walk out of the prefix by `..`. */
const HIDDEN_SEPARATOR = /%2f|%5c/i;

/** Whether `/hooks` or `/hooks/` has the path of `url` below it. Queries do not count. */
export function isBelow(url: URL, prefix: string): boolean {
	const path = url.pathname;
	if (prefix === "/") return true;
	if (HIDDEN_SEPARATOR.test(path)) return false;
	if (prefix.endsWith("/")) return path.startsWith(prefix);
	return path === prefix || path.startsWith(`${prefix}/`);
}
