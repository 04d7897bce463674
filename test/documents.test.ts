// Texts that say the same thing must say the same: help and man pages, README and commands, tables and pages.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { renderManPages } from "../man/render-man.ts";
import { EXIT_STATUSES, FAULT_CODES } from "../src/faults/index.ts";

const root = join(import.meta.dirname, "..");
const read = (name: string) => readFileSync(join(root, name), "utf8");
const program = JSON.parse(read("package.json"));
const manifest = JSON.parse(read("oclif.manifest.json"));
const commands: Record<
	string,
	{ examples: string[]; flags: object; summary: string }
> = manifest.commands;
const readme = read("README.md");

describe("the man pages", () => {
	const texts = readdirSync(join(root, "man"))
		.filter((file) => file.endsWith(".md"))
		.map((file) => ({ file, text: read(join("man", file)) }));
	const pages = renderManPages(program, manifest, texts);

	it.each([...pages.keys()])(
		"%s is what the commands say now (npm run man)",
		(name) => {
			expect(read(join("man", name))).toBe(pages.get(name));
		},
	);

	it("are all made from commands and texts that exist", () => {
		const committed = readdirSync(join(root, "man")).filter((name) =>
			/\.[157]$/.test(name),
		);
		expect(committed.sort()).toEqual([...pages.keys()].sort());
	});

	it("are all named in package.json, where npm finds the manual", () => {
		const named = [...pages.keys()].map((name) => `./man/${name}`);
		expect(program.man).toEqual(named.sort());
	});

	it("have every exit status, and every fault code exactly once", () => {
		const main = read("man/mcp-events.1").replaceAll("\\-", "-");
		for (const { status } of Object.values(EXIT_STATUSES))
			expect(main).toContain(`\\fB${status}\\fR`);
		for (const code of Object.keys(FAULT_CODES))
			expect(main.split(`\\fB${code}\\fR`), code).toHaveLength(2);
	});

	it("point to pages that exist", () => {
		for (const text of pages.values())
			for (const [, name, chapter] of text.matchAll(/^\.BR (\S+) \((\d)\)/gm))
				expect([...pages.keys()]).toContain(`${name}.${chapter}`);
	});

	it("have every flag of every command, under its name and in its help group", () => {
		for (const [id, { flags }] of Object.entries(commands)) {
			const page = pages.get(`mcp-events-${id.replaceAll(":", "-")}.1`) ?? "";
			const names = Object.entries(
				flags as Record<string, { hidden?: boolean }>,
			)
				.filter(([, { hidden }]) => !hidden)
				.map(([name]) => `\\fB${`--${name}`.replaceAll("-", "\\-")}\\fR`);
			expect(
				names.filter((name) => !page.includes(name)),
				id,
			).toEqual([]);
		}
	});

	it("are pure ASCII, which every roff reads", () => {
		for (const text of pages.values()) expect(text).toMatch(/^[\n\x20-\x7e]*$/);
	});
});

describe("the README", () => {
	it("lists every command and no other", () => {
		const table = readme.split("\n## Commands\n")[1]?.split("\n\n")[0] ?? "";
		const firstCells = [...table.matchAll(/^\| (`.*?) \| /gm)].map((m) => m[1]);
		const listed = firstCells.flatMap((cell) =>
			[...(cell ?? "").matchAll(/(?:^|, )`([a-z]+(?: [a-z]+)*)/g)].map((m) =>
				m[1]?.replaceAll(" ", ":"),
			),
		);
		expect(listed.sort()).toEqual(Object.keys(commands).sort());
	});

	it("is under 200 lines", () => {
		expect(readme.split("\n").length).toBeLessThan(200);
	});

	it("gives a reason for each package that is bundled, and for no other", () => {
		const bundled = [
			...readme.matchAll(/^\| (\S+) \| (?:MIT|ISC|Apache-2\.0) \|/gm),
		].map((m) => m[1]);
		for (const name of bundled)
			expect(Object.keys(program.devDependencies)).toContain(name);
		for (const name of Object.keys(program.devDependencies))
			expect(readme).toContain(name);
		expect(program.dependencies).toBeUndefined();
	});

	it("names files that exist", () => {
		const named = [...readme.matchAll(/\b([A-Z]{5,}\.md|man\/[\w.-]+\.\d)\b/g)];
		expect(named.length).toBeGreaterThan(3);
		for (const [name] of named)
			expect(existsSync(join(root, name)), name).toBe(true);
	});
});

describe("CONTRIBUTING", () => {
	const text = read("CONTRIBUTING.md");

	it("has the rooms of src/ in the order of the table that the imports are held to", () => {
		const [, table = ""] =
			/const USES[^{]*\{(.*?)^\};/ms.exec(read("test/architecture.test.ts")) ??
			[];
		const rooms = [...table.matchAll(/^\t(\w+): \[/gm)].map((m) => m[1]);
		const rows = [...text.matchAll(/^\| (\w+) \| /gm)].map((m) => m[1]);
		expect(rows).toEqual(["room", ...rooms]);
		expect([...rooms].sort()).toEqual(readdirSync(join(root, "src")).sort());
	});

	it("names files that exist", () => {
		const paths = [...text.matchAll(/`((?:src|test|man)\/[\w./-]+)`/g)].map(
			(m) => m[1] ?? "",
		);
		expect(paths.length).toBeGreaterThan(20);
		expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	});
});

describe("every command", () => {
	it.each(Object.entries(commands))(
		"%s has a summary and examples",
		(_name, command) => {
			expect(command.summary).toMatch(/^[A-Z].*\.$/s);
			expect(command.examples.length).toBeGreaterThan(1);
		},
	);

	it("spends single letters on five flags only", () => {
		const letters = new Set(
			Object.values(commands).flatMap(({ flags }) =>
				Object.values(flags as Record<string, { char?: string; name: string }>)
					.filter(({ char }) => char)
					.map(({ char, name }) => `-${char} --${name}`),
			),
		);
		expect([...letters].sort()).toEqual(
			[
				"-H --header",
				"-a --arg",
				"-n --count",
				"-o --output",
				"-v --verbose",
			].sort(),
		);
	});
});
