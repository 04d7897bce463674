// Opens the sources that were chosen; what each stands on is loaded for it alone.
import type {
	Clock,
	HttpRoute,
	InboundHook,
	Source,
} from "../../reference/index.ts";
import { parseSpeed } from "../flags/speed.ts";
import type { World } from "../process/world.ts";
import type { HookChoice, SourceChoice } from "./options.ts";
import { readReference } from "./reference.ts";

export interface SourceWorld {
	world: Pick<World, "stdin" | "env">;
	clock: Clock;
	/** Names this run. */
	epoch: string;
	/** The address that is listened on. */
	host: string;
	note(text: string): void;
}

export interface OpenedSources {
	sources: Source[];
	/** What the sources want to be served beside the endpoint. */
	routes: HttpRoute[];
}

/** Closes what was opened where one of them cannot be. */
export async function openSources(
	choices: readonly SourceChoice[],
	around: SourceWorld,
): Promise<OpenedSources> {
	const opened: OpenedSources = { sources: [], routes: [] };
	try {
		for (const choice of choices)
			opened.sources.push(await openSource(choice, around, opened.routes));
		return opened;
	} catch (fault) {
		for (const source of opened.sources) await source.close();
		throw fault;
	}
}

async function openSource(
	choice: SourceChoice,
	{ world, clock, epoch, host, note }: SourceWorld,
	routes: HttpRoute[],
): Promise<Source> {
	const reference = await import("../../reference/index.ts");
	const base = { clock, epoch, note };
	switch (choice.kind) {
		case "demo": {
			const { seed = "mcp-events", buffer: bufferSize } = choice;
			const size = bufferSize === undefined ? {} : { bufferSize };
			return reference.openDemoSource({ ...base, seed, ...size });
		}
		case "file":
			return reference.openFileSource({ ...base, ...choice });
		case "stdin": {
			const { buffer: bufferSize = 10_000, ...words } = choice;
			const { stdin: input } = world;
			return reference.openStdinSource({
				...base,
				...words,
				input,
				bufferSize,
			});
		}
		case "dir":
			return reference.openDirSource({
				...base,
				...choice,
				bufferSize: choice.buffer,
			});
		case "sqlite": {
			const { path: file, scanIntervalMs: intervalMs, ...words } = choice;
			return reference.openSqliteSource({
				...base,
				...words,
				file,
				intervalMs,
			});
		}
		case "capture": {
			const { path, prefix, speed = "1x" } = choice;
			const pace = { speed: parseSpeed(speed), prefix };
			return reference.openCaptureSource({ ...base, ...pace, paths: [path] });
		}
		case "inbound": {
			const { allowPlain, buffer: bufferSize } = choice;
			const hooks = await Promise.all(
				choice.hooks.map((hook) => readHook(hook, world)),
			);
			const options = { ...base, hooks, host, allowPlain, bufferSize };
			const source = reference.openInboundSource(options);
			routes.push(source.route);
			return source;
		}
	}
}

async function readHook(
	{ secrets = [], ...hook }: HookChoice,
	world: Pick<World, "env">,
): Promise<InboundHook> {
	const texts = secrets.map((text) => readReference(text, "--hook", world));
	return { ...hook, secrets: await Promise.all(texts) };
}
