// What stands before the names of a source's event types, so that two sources of a kind can be told apart.
import { Fault } from "../../faults/index.ts";

const PREFIX = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Returns it. Throws `wrong-use` where it cannot be part of a name. */
export function checkPrefix(prefix: string): string {
	if (PREFIX.test(prefix)) return prefix;
	throw new Fault("wrong-use", {
		what: `${JSON.stringify(prefix)} cannot begin the names of event types`,
		why: 'allowed are 1 to 100 letters, digits, ".", "_" and "-", a letter or digit first',
		next: "give another one, such as inbox",
	});
}
