// The positional words, as help shows them. Their meaning is read in words.ts, since a command after `--` shifts it: so
// the commands that have them are not `strict`, and oclif counts nothing.
import { Args } from "@oclif/core";

// Without ignoreStdin oclif would take a piped stdin for a word that is missing.
const server = Args.string({
	ignoreStdin: true,
	description: "URL of the server; left out where -- COMMAND starts one.",
});

const event = Args.string({
	ignoreStdin: true,
	description: "Name of an event type.",
});

export const serverArgs = { server };
export const serverEventArgs = { server, event };
