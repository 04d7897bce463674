// Fixture controls (`--conformance-controls`): tools that make happen what no client can ask for. Each triggers what the
// server would do by itself in such a case; none writes to a stream or a subscriber.
import { randomUUID } from "node:crypto";
import { METHODS } from "../../protocol/index.ts";
import { invalidParams, Refusal } from "../refusal.ts";
import type { Core } from "../rpc/core.ts";
import type { ReferenceOptions } from "../settings.ts";
import type { Source, SourceType } from "../source.ts";
import { CatalogueChanges } from "./catalogue-changes.ts";
import { Stage } from "./stage.ts";
import { describeTool, type Levers, readArguments, TOOLS } from "./tools.ts";
import { openConformanceTypes, QUOTA } from "./types.ts";

/** The answer to events_conformance_restart is on its way by then. */
const RESTART_DELAY_MS = 100;

export class Controls {
	readonly #core: Core;
	readonly #options: ReferenceOptions;
	readonly #stage: Stage;
	readonly #changes: CatalogueChanges;
	readonly #levers: Levers;
	#types: ReturnType<typeof openConformanceTypes>;
	#originals = new Map<string, SourceType>();
	#generation = 1;
	#cancelRestart = () => {};
	#restarting: Promise<void> = Promise.resolve();

	constructor(core: Core, options: ReferenceOptions) {
		this.#core = core;
		this.#options = options;
		this.#stage = new Stage(options.clock);
		this.#types = this.#openTypes();
		this.#changes = new CatalogueChanges({
			original: (name) => this.#originals.get(name),
			make: (name) => this.#types.make(name),
			isOffered: (name) => core.catalogue.find(name) !== undefined,
			put: (type) => core.catalogue.put(type),
			remove: (name) => void core.catalogue.remove(name),
			end: async (name, error) => {
				core.live.endType(name, error);
				await core.webhooks?.endType(name, error);
			},
		});
		this.#levers = this.#createLevers();
	}

	/** The sources with the event types for graders around them. */
	around(sources: readonly Source[]): readonly Source[] {
		const all = [this.#types.first, ...sources, this.#types.last];
		this.#originals = new Map(
			all
				.flatMap(({ types }) => types)
				.map((type) => [type.descriptor.name, type]),
		);
		return all;
	}

	/** A type with the troubles that can be made for it. */
	stage(type: SourceType): SourceType {
		return this.#stage.wrap(type);
	}

	/** The result of tools/list or tools/call for a client of 2026-07-28; undefined for other methods. */
	async answer(method: string, params: Record<string, unknown>) {
		const plain = await this.answerLegacy(method, params);
		if (!plain || method !== METHODS.listTools) return plain;
		return { ...plain, ttlMs: 60_000, cacheScope: "private" };
	}

	/** The same for an `initialize` client. */
	async answerLegacy(method: string, params: Record<string, unknown>) {
		if (method === METHODS.listTools)
			return { tools: this.#tools().map(describeTool) };
		if (method !== METHODS.callTool) return undefined;
		const tool = this.#tools().find(({ name }) => name === params.name);
		if (!tool) throw invalidParams("there is no such tool");
		try {
			const args = readArguments(tool, params.arguments);
			return textResult(await tool.act(this.#levers, args));
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			return { ...textResult(error.message), isError: true };
		}
	}

	async close(): Promise<void> {
		this.#cancelRestart();
		await this.#restarting;
		this.#stage.close();
		this.#types.close();
	}

	#tools() {
		const hasWebhooks = this.#core.webhooks !== undefined;
		return TOOLS.filter((tool) => hasWebhooks || !tool.needsWebhooks);
	}

	#createLevers(): Levers {
		const core = this.#core;
		const stage = this.#stage;
		const webhooks = () => {
			if (!core.webhooks) throw invalidParams("there are no webhooks here");
			return core.webhooks;
		};
		const known = (name: string) => {
			if (core.catalogue.find(name)) return name;
			throw invalidParams(`there is no event type ${name}`);
		};
		return {
			yieldError(name) {
				stage.fail(known(name));
				return `ok ${name}`;
			},
			yieldGap(name) {
				stage.lose(known(name));
				return `ok ${name}`;
			},
			terminate: (name) => this.#changes.terminate(name),
			changeCatalogue: (action, name) => this.#changes.change(action, name),
			changeAccess: (action, name) => this.#changeAccess(action, known(name)),
			quota: () => QUOTA,
			subscribeAs: (principal, name, url) =>
				webhooks().subscribeAs(principal, name, url),
			isSubscribed: (principal, name, url) =>
				webhooks().isSubscribed(principal, name, url),
			allowCallbackOrigin: (origin) => this.#allowOrigin(origin),
			sendGap: (id) => webhooks().sendGap(id),
			terminateWebhook: (id) =>
				webhooks().terminate(
					id,
					new Refusal("NotFound", "the subscription was ended", {
						data: { kind: "subscription" },
					}),
				),
			stateOf: (id) => webhooks().stateOf(id),
			restart: () => this.#planRestart(),
			generation: () => this.#generation,
		};
	}

	#changeAccess(action: string, name: string): string {
		const { access } = this.#core.settings;
		if (action === "revoke") access.withdraw(name);
		else if (action !== "restore" || !access.giveBack(name))
			throw invalidParams("action must be revoke, or restore what was revoked");
		return `${action}d ${name}`;
	}

	#allowOrigin(origin: string): void {
		if (!URL.canParse(origin) || new URL(origin).origin !== origin)
			throw invalidParams("origin must be scheme, host and port alone");
		this.#options.allowCallbackOrigin?.(origin);
	}

	#planRestart(): number {
		this.#cancelRestart();
		this.#cancelRestart = this.#options.clock.setTimer(() => {
			this.#restarting = this.#restart();
		}, RESTART_DELAY_MS);
		return this.#generation + 1;
	}

	async #restart(): Promise<void> {
		this.#stage.reset();
		this.#changes.reset();
		this.#core.settings.access.giveAllBack();
		this.#types.close();
		this.#types = this.#openTypes();
		try {
			await this.#core.restart();
			this.#generation++;
		} catch (error) {
			this.#core.settings.note(`the restart failed: ${error}`);
		}
	}

	#openTypes() {
		return openConformanceTypes(this.#options.clock, randomUUID().slice(0, 8));
	}
}

const textResult = (text: string) => ({ content: [{ type: "text", text }] });
