// Runs work whose length a stranger's schema decides, so that it can be interrupted.
import { type Context, createContext, Script } from "node:vm";

let context: Context | undefined;
let script: Script | undefined;

/**
 * What `work` returns, or throws. Where it takes longer than `timeoutMs` it is interrupted, and Node's error with the
 * code ERR_SCRIPT_EXECUTION_TIMEOUT is thrown. `work` must not call this function.
 */
export function runBounded<T>(work: () => T, timeoutMs: number): T {
	// A script in a context of its own is what the platform can interrupt, and what it calls is interrupted with it. One
	// context serves all: to make one costs more than most checks do.
	context ??= createContext({});
	script ??= new Script("work()");
	context.work = work;
	try {
		return script.runInContext(context, { timeout: timeoutMs });
	} finally {
		context.work = undefined;
	}
}
