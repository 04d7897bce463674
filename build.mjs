// Builds dist/: one chunk for each command, shared code split off, heavy packages in chunks of their own; then oclif's
// manifest, so that starting a command loads nothing but that command.
import {
	cpSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { basename, join, relative } from "node:path";
import { Plugin } from "@oclif/core";
import { rolldown } from "rolldown";

const root = import.meta.dirname;
const dist = join(root, "dist");
/** Made whole beside the old one, so that what runs meanwhile finds either. */
const fresh = join(root, `dist.${process.pid}`);

/**
 * What oclif loads at every start for what we never ask of it, and what stands in for it in the bundle: as much as is
 * touched without being asked for. It was half of the time that a start takes.
 */
const NOT_LOADED = {
	// Its own debugging, timing, patterns of plugins, commands without a manifest, settings outside package.json, spinner.
	debug: "module.exports = () => () => {};",
	"node:perf_hooks": "",
	minimatch: "",
	tinyglobby: "",
	lilconfig: "",
	"cli-spinners":
		"exports.dots2 = exports.line = { frames: [], interval: 1000 };",
	// It only asks whether oclif supports this Node: package.json says which ones we do.
	semver: "",
	// Which shell and system this is, plugins may want to know; on Windows a PowerShell would be started for it.
	"wsl-utils": "exports.isWsl = false;",
	"node:child_process": "",
	// The help is ours, and so are the words for what went wrong.
	ejs: "",
	"wrap-ansi": "",
	"widest-line": "",
	"string-width": "",
	"indent-string": "",
	"clean-stack": "module.exports = (stack) => stack;",
	wordwrap: "",
	"ansi-escapes": "",
};
const OCLIFS = /[\\/]@oclif[\\/]core[\\/]/;
const NOT_LOADED_ID = /^\0not-loaded:(.+)\.cjs$/;

/** Of undici what we use: the rest (fetch, WebSocket, caches, mocks) took as long to load as all that we have. */
const UNDICI = `
	const Dispatcher = require("UNDICI/dispatcher/dispatcher.js");
	Object.assign(Dispatcher.prototype, require("UNDICI/api/index.js"));
	exports.Client = require("UNDICI/dispatcher/client.js");
	exports.Pool = require("UNDICI/dispatcher/pool.js");
`;

const lightenUndici = {
	name: "lighten-undici",
	resolveId: (source) => (source === "undici" ? "\0undici.cjs" : null),
	load: (id) =>
		id === "\0undici.cjs"
			? UNDICI.replaceAll("UNDICI", join(root, "node_modules/undici/lib"))
			: null,
	// Node's HTTP/2 takes as long to load as all of undici: it is, once a server speaks it.
	transform(code, id) {
		if (!/[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/.test(id))
			return null;
		const atOnce = "const connectH2 = require('./client-h2.js')";
		if (!code.includes(atOnce)) throw new Error(`${id} has changed`);
		const onceAsked =
			"const connectH2 = (client, socket) => require('./client-h2.js')(client, socket)";
		return { code: code.replace(atOnce, onceAsked), map: null };
	},
};

const lightenOclif = {
	name: "lighten-oclif",
	resolveId(source, importer) {
		if (!OCLIFS.test(importer ?? "") || !(source in NOT_LOADED)) return null;
		return `\0not-loaded:${source}.cjs`;
	},
	load(id) {
		const name = NOT_LOADED_ID.exec(id)?.[1];
		return name === undefined ? null : `"use strict";\n${NOT_LOADED[name]}`;
	},
	// Comparing two words by the rules of a language loads those rules, for 20 names in ASCII.
	transform(code, id) {
		if (!/@oclif[\\/]core[\\/]lib[\\/]config[\\/]plugin\.js$/.test(id))
			return null;
		const byLanguage = "a.id.localeCompare(b.id)";
		if (!code.includes(byLanguage)) throw new Error(`${id} has changed`);
		return {
			code: code.replace(byLanguage, "a.id < b.id ? -1 : 1"),
			map: null,
		};
	},
};

function commandEntries(folder = "") {
	return readdirSync(join(root, "src/commands", folder), {
		withFileTypes: true,
	}).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return commandEntries(path);
		const name = join("commands", folder, basename(entry.name, ".ts"));
		return [[name, join(root, "src/commands", path)]];
	});
}

async function bundle() {
	const build = await rolldown({
		input: {
			main: join(root, "src/program/process/main.ts"),
			// What a thread runs is a file of its own.
			"verify-thread": join(root, "src/program/captures/verify-thread.ts"),
			...Object.fromEntries(commandEntries()),
		},
		platform: "node",
		plugins: [lightenOclif, lightenUndici],
		// Node 20 does not know `await using`.
		transform: { target: "node20" },
		// oclif looks for TypeScript and for a logger of the user's; neither is ours to ship. libsql is native: whoever
		// wants it installs it.
		external: ["typescript", "ts-node", "tsx", "libsql"],
		onLog(level, log, handler) {
			if (level === "warn") throw new Error(log.message);
			handler(level, log);
		},
	});
	const { output } = await build.write({
		dir: fresh,
		format: "cjs",
		entryFileNames: "[name].cjs",
		chunkFileNames: "chunks/[name]-[hash].cjs",
		exports: "named",
		comments: { legal: true },
	});
	await build.close();
	// For whoever checks messages or reports by them.
	for (const name of readdirSync(join(root, "src/grade/schemas")))
		if (name.endsWith(".schema.json"))
			cpSync(
				join(root, "src/grade/schemas", name),
				join(fresh, "schemas", name),
			);
	writeNotices(output.flatMap((chunk) => chunk.moduleIds ?? []));
}

/** The licences of the packages that went into the bundle, which must travel with it. */
function writeNotices(moduleIds) {
	const folders = new Set(
		moduleIds.flatMap(
			(id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [],
		),
	);
	const notices = [...folders].sort().map((folder) => {
		const { name, version, license } = readJson(
			relative(root, join(folder, "package.json")),
		);
		const file = readdirSync(folder).find((entry) =>
			/^licen[cs]e/i.test(entry),
		);
		const text = file ? readFileSync(join(folder, file), "utf8").trim() : "";
		return `${name} ${version} (${license})\n\n${text}\n`;
	});
	writeFileSync(
		join(fresh, "THIRD-PARTY.txt"),
		notices.join(`\n${"-".repeat(72)}\n\n`),
	);
}

async function writeManifest() {
	const plugin = new Plugin({
		root,
		type: "core",
		ignoreManifest: true,
		errorOnManifestCreate: true,
		respectNoCacheDefault: true,
	});
	await plugin.load();
	const { commands, ...rest } = plugin.manifest;
	// A folder gives its files in an order of its own on each machine; help, man pages and completion keep the manifest's:
	// by name, those of a topic last.
	const placeOf = (id) => `${id.split(":").length} ${id}`;
	const inOrder = Object.entries(commands).sort(([one], [other]) =>
		placeOf(one) < placeOf(other) ? -1 : 1,
	);
	writeFileSync(
		join(root, "oclif.manifest.json"),
		JSON.stringify({ ...rest, commands: Object.fromEntries(inOrder) }),
	);
}

/** The man pages are committed, so they are only made when asked for; a test compares them with the commands. */
async function writeManPages() {
	const { renderManPages } = await importSource("man/render-man.ts");
	const manifest = readJson("oclif.manifest.json");
	const texts = readdirSync(join(root, "man"))
		.filter((file) => file.endsWith(".md"))
		.map((file) => ({ file, text: readText(join("man", file)) }));
	const program = readJson("package.json");
	const pages = renderManPages(program, manifest, texts);
	for (const [name, text] of pages)
		writeFileSync(join(root, "man", name), text);
	// npm puts those into the manual that stand in this list.
	program.man = [...pages.keys()].sort().map((name) => `./man/${name}`);
	writeFileSync(
		join(root, "package.json"),
		`${JSON.stringify(program, null, "\t")}\n`,
	);
}

/** Committed as well, since the tests run the sources as they are; a test compiles it again. */
async function writeScanner() {
	const folder = "src/protocol/scanner";
	const { compileScanner } = await importSource(`${folder}/compile-scanner.ts`);
	const text = await compileScanner(join(root, folder));
	writeFileSync(join(root, folder, "scanner-base64.ts"), text);
}

/** What a TypeScript file of ours exports. */
async function importSource(path) {
	const name = basename(path, ".ts");
	const cache = join(root, `node_modules/.cache/${name}.mjs`);
	const build = await rolldown({
		input: join(root, path),
		platform: "node",
		external: ["assemblyscript/asc"],
	});
	await build.write({ file: cache, format: "esm" });
	await build.close();
	return await import(cache);
}

const readText = (name) => readFileSync(join(root, name), "utf8");
const readJson = (name) => JSON.parse(readText(name));

if (process.argv.includes("--scanner")) await writeScanner();
try {
	await bundle();
	rmSync(dist, { recursive: true, force: true });
	renameSync(fresh, dist);
} finally {
	rmSync(fresh, { recursive: true, force: true });
}
await writeManifest();
if (process.argv.includes("--man")) await writeManPages();
