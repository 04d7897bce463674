// The examples of a page (README, man/*.md): what stands in its fenced blocks, section by section. A section is one
// session at a machine. Behind the fence stands what a block is:
//   console            lines that begin with `$ ` are typed, the others are what was shown; `...` stands for any lines
//   console background the last command goes on until its section is over
//   sh                 lines that are typed, of which nothing is shown
//   LANGUAGE file=NAME what a file holds
// `status=N` is the status of the block's last command, `not-run` leaves a block out.

export interface PageCommand {
	line: string;
	/** undefined: the page says nothing of it. */
	shown: string[] | undefined;
}

export interface PageBlock {
	commands: PageCommand[];
	isBackground: boolean;
	/** Of the last command; undefined: 0, or stopped by us. */
	status: number | undefined;
	file: { name: string; text: string } | undefined;
	/** Where its lines begin in the page, and how many they are. */
	at: number;
	length: number;
}

export interface PageSection {
	title: string;
	blocks: PageBlock[];
	/** Command lines that are left out. */
	notRun: string[];
}

/** The sections that have something to run. */
export function readPage(text: string): PageSection[] {
	const sections: PageSection[] = [{ title: "", blocks: [], notRun: [] }];
	const lines = text.split("\n");
	for (let at = 0; at < lines.length; at++) {
		const line = lines[at] ?? "";
		const [, title] = /^## (.*)$/.exec(line) ?? [];
		if (title !== undefined) sections.push({ title, blocks: [], notRun: [] });
		if (!line.startsWith("```")) continue;
		const end = lines.indexOf("```", at + 1);
		const block = readBlock(line.slice(3), lines.slice(at + 1, end), at + 1);
		const section = sections.at(-1);
		if (block && / not-run\b/.test(line))
			section?.notRun.push(...block.commands.map((command) => command.line));
		else if (block) section?.blocks.push(block);
		at = end;
	}
	return sections.filter(
		({ blocks, notRun }) => blocks.length + notRun.length > 0,
	);
}

function readBlock(
	info: string,
	lines: string[],
	at: number,
): PageBlock | undefined {
	const [language, ...words] = info.split(" ");
	const wordOf = (name: string) =>
		words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
	const name = wordOf("file");
	const status = wordOf("status");
	const isTyped = language === "console" || language === "sh";
	if (!isTyped && name === undefined) return undefined;
	return {
		commands:
			isTyped && name === undefined
				? readCommands(lines, language === "sh")
				: [],
		isBackground: words.includes("background"),
		status: status === undefined ? undefined : Number(status),
		file:
			name === undefined ? undefined : { name, text: `${lines.join("\n")}\n` },
		at,
		length: lines.length,
	};
}

function readCommands(lines: string[], isPlain: boolean): PageCommand[] {
	const commands: PageCommand[] = [];
	for (const line of lines) {
		if (isPlain) commands.push({ line, shown: undefined });
		else if (line.startsWith("$ "))
			commands.push({ line: line.slice(2), shown: [] });
		else commands.at(-1)?.shown?.push(line);
	}
	return commands;
}

/** What differs from one run to the next is made alike. */
export const steady = (line: string) =>
	line
		.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
		.replace(/\d\d-\d\d \d\d:\d\d:\d\d/g, "<time>")
		.replace(/\b(cap|sub|whsec)_[\w+/=-]+|\b(msg|evt)_[\w-]+/g, "<id>")
		.replace(/"(sha256|v1a?),[\w+/=]+/g, '"<signature>')
		.replace(/127\.0\.0\.1:\d+/g, "<here>")
		.replace(/\/hooks\/[\w-]+/g, "/hooks/<path>")
		.replace(/(?<![\w.])\d+(\.\d+)?( ?)(ms|s|m)\b/g, "<duration>")
		.replace(
			/"(latencyMs|delayMs|sinceEventMs|sinceSignMs)":\d+/g,
			'"$1":<duration>',
		)
		.replace(/\/tmp\/[\w./-]+/g, "<path>")
		.replace(/\bv1\.[\w.-]+/g, "<cursor>")
		.replace(/\d{5,}/g, "<number>")
		.trimEnd();

/** Whether what was shown is what the page has; `...` stands for any lines. What goes to stderr may come between. */
export function isAsShown(
	page: readonly string[] | undefined,
	run: readonly string[],
): boolean {
	const parts = (lines: readonly string[]) => [
		lines.filter(
			(line) => line.startsWith("mcp-events: ") || line.startsWith("  "),
		),
		lines.filter(
			(line) => !line.startsWith("mcp-events: ") && !line.startsWith("  "),
		),
	];
	if (page === undefined) return true;
	const isOpen = page.includes("...");
	const own = parts(page.filter((line) => line !== "...").map(steady));
	const got = parts(run.map(steady));
	return own.every((lines, at) => isWithin(lines, got[at] ?? [], isOpen));
}

function isWithin(
	lines: readonly string[],
	run: readonly string[],
	isOpen: boolean,
): boolean {
	if (!isOpen) return lines.join("\n") === run.join("\n");
	let from = 0;
	return lines.every((line) => {
		const at = run.indexOf(line, from);
		from = at + 1;
		return at >= 0;
	});
}
