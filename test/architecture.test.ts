// Holds the table of rooms: who may import whom, doors only, one room that writes, one place that exits, sizes.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = join(import.meta.dirname, "../src");

/** A room may import the rooms in its row; all may import faults and protocol. Rows stand in the order of flow. */
const USES: Record<string, readonly string[]> = {
	faults: [],
	protocol: [],
	children: [],
	network: [],
	signing: [],
	servers: [],
	arguments: [],
	state: [],
	session: ["children", "network", "servers"],
	tunnel: ["children"],
	receiver: ["signing"],
	tail: ["session", "receiver", "state"],
	handlers: ["children", "network"],
	captures: ["signing", "state"],
	// It speaks to servers by hand, for it sends what no session would.
	grade: ["children", "network", "signing", "session", "receiver", "arguments"],
	// How a name server is asked; whom it calls is its own affair.
	reference: ["network", "signing", "arguments", "captures", "state"],
	// The types of what it shows.
	output: ["tail", "session", "captures", "grade", "arguments"],
	program: [
		"network",
		"signing",
		"servers",
		"arguments",
		"state",
		"session",
		"tunnel",
		"receiver",
		"tail",
		"handlers",
		"captures",
		"output",
		"reference",
		"grade",
	],
	commands: ["*"],
};

const ROOMS = Object.keys(USES);
const TYPES_ONLY: Record<string, readonly string[]> = {
	output: ["tail", "session", "captures", "grade", "arguments"],
};

interface Import {
	file: string;
	line: number;
	target: string;
	isTypeOnly: boolean;
}

function sourceFiles(folder = SRC): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? sourceFiles(path) : [path];
	});
}

const roomOf = (file: string) => relative(SRC, file).split(sep)[0] ?? "";

function importsOf(file: string): Import[] {
	const text = readFileSync(file, "utf8");
	const found = [
		...text.matchAll(
			/^\s*(import|export)\s+(type\s)?[^;'"]*?from\s+["'](\.[^"']+)["']/gms,
		),
		...text.matchAll(/\b(import)\((?:\s*)()["'](\.[^"']+)["']/g),
	];
	return found.map((match) => ({
		file: relative(SRC, file),
		line: text.slice(0, match.index).split("\n").length,
		target: join(dirname(file), match[3] ?? ""),
		isTypeOnly: match[2] !== undefined,
	}));
}

const files = sourceFiles();
const crossings = files.flatMap((file) =>
	importsOf(file)
		.filter(
			({ target }) => target.startsWith(SRC) && roomOf(target) !== roomOf(file),
		)
		.map((found) => ({
			...found,
			from: roomOf(file),
			to: roomOf(found.target),
		})),
);

const place = ({
	file,
	line,
	to,
}: {
	file: string;
	line: number;
	to: string;
}) => `${file}:${line} imports ${to}`;

describe("the rooms", () => {
	it("are all in the table", () => {
		const rooms = readdirSync(SRC, { withFileTypes: true });
		expect(
			rooms.filter((room) => !room.isDirectory()).map((f) => f.name),
		).toEqual([]);
		expect(
			rooms.map((room) => room.name).filter((name) => !ROOMS.includes(name)),
		).toEqual([]);
	});

	it("import only the rooms in their row", () => {
		const wrong = crossings.filter(({ from, to }) => {
			if (to === "faults" || (to === "protocol" && from !== "faults"))
				return false;
			const row = USES[from] ?? [];
			return !row.includes("*") && !row.includes(to);
		});
		expect(wrong.map(place)).toEqual([]);
	});

	it("stand in the table in the order in which they may import", () => {
		for (const [room, row] of Object.entries(USES))
			for (const used of row.filter((name) => name !== "*"))
				expect(ROOMS.indexOf(used), `${room} uses ${used}`).toBeLessThan(
					ROOMS.indexOf(room),
				);
	});

	it("are entered by their doors, but for the command line's own parts", () => {
		const wrong = crossings.filter(
			({ to, target }) =>
				to !== "program" && relative(SRC, target) !== join(to, "index.ts"),
		);
		expect(wrong.map(place)).toEqual([]);
	});

	it("give output types alone", () => {
		const wrong = crossings.filter(
			({ from, to, isTypeOnly }) =>
				TYPES_ONLY[from]?.includes(to) && !isTypeOnly,
		);
		expect(wrong.map(place)).toEqual([]);
	});

	it("have doors of explicit names", () => {
		const doors = files.filter((file) => file.endsWith(`${sep}index.ts`));
		expect(
			doors.filter((door) => /export \*/.test(readFileSync(door, "utf8"))),
		).toEqual([]);
	});
});

/** The lines of a pattern outside comments, in the rooms that may not have it. */
function linesWith(
	pattern: RegExp,
	allowed: (file: string) => boolean,
): string[] {
	return files
		.filter((file) => !allowed(relative(SRC, file)))
		.flatMap((file) =>
			readFileSync(file, "utf8")
				.split("\n")
				.map((text, at) => ({ text, at }))
				.filter(
					({ text }) => !/^\s*(\/\/|\*|\/\*)/.test(text) && pattern.test(text),
				)
				.map(
					({ text, at }) => `${relative(SRC, file)}:${at + 1} ${text.trim()}`,
				),
		);
}

describe("what only one place may do", () => {
	it("write to the terminal", () => {
		const writes = /console\.|process\.(stdout|stderr)/;
		expect(
			linesWith(writes, (file) => file.startsWith(`output${sep}`)),
		).toEqual([]);
	});

	it("exit", () => {
		const exits = /process\.(exit\(|exitCode|abort|kill\(process\.pid)/;
		expect(
			linesWith(
				exits,
				(file) => file === join("program", "process", "exit.ts"),
			),
		).toEqual([]);
	});

	it("reach for the process", () => {
		const reaches = /\bprocess\.(env|argv|cwd|on|once|stdin)\b/;
		expect(
			linesWith(reaches, (file) => file.startsWith(`program${sep}`)),
		).toEqual([]);
	});

	it("reach for the clock and for chance", () => {
		const reaches = /\bDate\.now\b|\bMath\.random\b|new Date\(\)/;
		expect(
			linesWith(reaches, (file) => file.startsWith(`program${sep}`)),
		).toEqual([]);
	});
});

describe("sizes", () => {
	it("no source file is over 250 lines", () => {
		const long = files
			// A JSON Schema is data, and stands in one piece for whoever takes it from the package.
			.filter((file) => file.endsWith(".ts"))
			.map((file) => ({
				file,
				lines: readFileSync(file, "utf8").split("\n").length - 1,
			}))
			.filter(({ lines }) => lines > 250);
		expect(long).toEqual([]);
	});
});
