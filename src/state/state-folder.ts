// Where state lives. The environment is handed in; nothing is made here.
import { isAbsolute, join, resolve } from "node:path";
import { Fault } from "../faults/index.ts";

const NAME = "mcp-events";

export interface StatePlace {
	/** What --state says. */
	flag?: string | undefined;
	env: Readonly<Record<string, string | undefined>>;
	cwd: string;
}

/** `--state DIR`, else the XDG state folder, else its default. Throws `wrong-use` where there is no home either. */
export function resolveStateFolder({ flag, env, cwd }: StatePlace): string {
	if (flag !== undefined && flag !== "") return resolve(cwd, flag);
	const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = env;
	// A relative path in XDG_STATE_HOME is to be ignored (XDG Base Directory Specification).
	if (xdg && isAbsolute(xdg)) return join(xdg, NAME);
	if (local && isAbsolute(local)) return join(local, NAME, "state");
	const home = env.HOME ?? env.USERPROFILE;
	if (home && isAbsolute(home)) return join(home, ".local", "state", NAME);
	throw new Fault("wrong-use", {
		what: "there is no place to keep state in",
		why: "neither XDG_STATE_HOME nor HOME is set to a whole path",
		next: "name a folder: --state DIR",
	});
}
