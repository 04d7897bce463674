// What the positional words mean: SERVER, the events with the arguments behind each, and the command after `--`.
import { Fault } from "../../faults/index.ts";
import {
	parseServerCommand,
	parseServerUrl,
	type ServerAddress,
} from "../../servers/index.ts";
import type { Mode } from "../../tail/index.ts";

/** One word as oclif's parser read it. */
export type WordToken =
	| { type: "arg"; input: string }
	| { type: "flag"; flag: string; input: string };

/** One EVENT with the `-a` and `--args` that followed it. */
export interface EventWords {
	name: string;
	pairs: string[];
	/** The values of --args, in order. */
	json: string[];
	/** What its own line of --from says beside the flags that are for all. */
	via?: Mode | undefined;
	cursor?: string | undefined;
	/** The number of that line. */
	line?: number | undefined;
}

export function splitAtDashes(argv: readonly string[]): {
	own: string[];
	child: string[] | undefined;
} {
	const at = argv.indexOf("--");
	if (at === -1) return { own: [...argv], child: undefined };
	return { own: argv.slice(0, at), child: argv.slice(at + 1) };
}

/**
 * Finds the server among the words: the command after `--`, else the first positional. The other positionals come
 * back in order. Throws `wrong-use` where no server is named.
 */
export function readServerWords(
	positionals: string[],
	child: string[] | undefined,
): { server: ServerAddress; rest: string[] } {
	if (child) return { server: parseServerCommand(child), rest: positionals };
	const [server, ...rest] = positionals;
	if (server === undefined)
		throw new Fault("wrong-use", {
			what: "no server is named",
			why: "SERVER is a URL, or a command after --",
			next: "https://HOST/mcp, or -- COMMAND at the end",
		});
	return { server: parseServerUrl(server), rest };
}

/**
 * Groups `-a` and `--args` under the EVENT before them. `raw` are oclif's tokens in the order typed. Throws `wrong-use`
 * where no event is named, unless there `mayBeNone`.
 */
export function readEventWords(
	raw: readonly WordToken[],
	hasServerWord: boolean,
	mayBeNone = false,
): EventWords[] {
	const events: EventWords[] = [];
	let positionals = 0;
	for (const token of raw) {
		if (token.type === "arg") {
			positionals++;
			if (!hasServerWord || positionals > 1)
				events.push({ name: token.input, pairs: [], json: [] });
		} else if (token.flag === "arg" || token.flag === "args") {
			const event = events.at(-1);
			if (!event) throw strayArgument(token.flag, token.input);
			(token.flag === "arg" ? event.pairs : event.json).push(token.input);
		}
	}
	if (events.length === 0 && !mayBeNone)
		throw new Fault("wrong-use", {
			what: "no event is named",
			why: "EVENT is the name of an event type of the server",
			next: "mcp-events list SERVER shows the names",
		});
	return events;
}

export function positionalsOf(raw: readonly WordToken[]) {
	return raw.filter((token) => token.type === "arg").map((t) => t.input);
}

function strayArgument(flag: "arg" | "args", input: string): Fault {
	const short = flag === "arg" ? "-a" : "--args";
	return new Fault("wrong-use", {
		what: `${short} ${input} stands before any event`,
		why: "an argument belongs to the EVENT before it",
		next: `SERVER EVENT ${short} ${input}`,
	});
}

/** For commands that take a server and nothing else. */
export function onlyServer(
	raw: readonly WordToken[],
	child: string[] | undefined,
): ServerAddress {
	const { server, rest } = readServerWords(positionalsOf(raw), child);
	if (rest.length === 0) return server;
	throw new Fault("wrong-use", {
		what: `${JSON.stringify(rest[0])} is one word too many`,
		why: child
			? "with a command after --, no SERVER is taken"
			: "only SERVER is taken",
		next: "leave that word out",
	});
}
