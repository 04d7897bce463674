// The changes of the catalogue that `events_conformance_catalog` and `events_conformance_terminate` make, and what each
// ends: what is gone or broken ends its subscriptions, what only adds ends nothing (events.md 2).
import { invalidParams, type Refusal } from "../refusal.ts";
import type { SourceType } from "../source.ts";
import { addField, breakField, removed, schemaChanged } from "./change-type.ts";

export interface ChangeableServer {
	/** The type as its source gives it; undefined where no source has it. */
	original(name: string): SourceType | undefined;
	/** A type of a name that is free. */
	make(name: string): SourceType;
	isOffered(name: string): boolean;
	put(type: SourceType): void;
	remove(name: string): void;
	/** Ends what is subscribed to the type, in every mode. */
	end(name: string, error: Refusal): Promise<void>;
}

const NAME = /^[\x21-\x7e]{1,100}$/;
const MOST_ADDED = 100;

type State = "added" | "altered" | "broken" | "removed" | "terminated";

export class CatalogueChanges {
	readonly #server: ChangeableServer;
	/** Of the types that are not as they were at the start. */
	readonly #states = new Map<string, State>();

	constructor(server: ChangeableServer) {
		this.#server = server;
	}

	/** Refuses (InvalidParams) what cannot be done now; returns what was done, in words. */
	async change(action: string, name: string): Promise<string> {
		switch (action) {
			case "add":
				return this.#add(name);
			case "alter":
				return this.#alter(name);
			case "break":
				return await this.#break(name);
			case "remove":
				return await this.#remove(name, "removed");
			case "restore":
				return await this.#restore(name);
			default:
				throw invalidParams(
					"action must be add, alter, break, remove or restore",
				);
		}
	}

	/** Removes a type for good: until the server begins anew. */
	async terminate(name: string): Promise<string> {
		return await this.#remove(name, "terminated");
	}

	/** As after a restart. */
	reset(): void {
		this.#states.clear();
	}

	#add(name: string): string {
		if (!NAME.test(name)) throw invalidParams("name must be visible ASCII");
		if (this.#server.original(name) || this.#server.isOffered(name))
			throw invalidParams(`there is an event type ${name} already`);
		const added = [...this.#states.values()].filter((is) => is === "added");
		if (added.length >= MOST_ADDED) throw invalidParams("too many were added");
		this.#server.put(this.#server.make(name));
		this.#states.set(name, "added");
		return `added ${name}`;
	}

	#alter(name: string): string {
		const type = this.#untouched(name);
		this.#server.put(addField(type));
		this.#states.set(name, "altered");
		return `added an optional field to the payload of ${name}`;
	}

	async #break(name: string): Promise<string> {
		const broken = breakField(this.#untouched(name));
		if (!broken)
			throw invalidParams(`the payload of ${name} has no field to retype`);
		this.#server.put(broken);
		this.#states.set(name, "broken");
		await this.#server.end(name, schemaChanged(name));
		return `retyped a field in the payload of ${name}`;
	}

	async #remove(
		name: string,
		state: "removed" | "terminated",
	): Promise<string> {
		if (!this.#server.isOffered(name))
			throw invalidParams(`there is no event type ${name}`);
		this.#server.remove(name);
		if (this.#server.original(name)) this.#states.set(name, state);
		else this.#states.delete(name);
		await this.#server.end(name, removed(name));
		return `${state} ${name}`;
	}

	async #restore(name: string): Promise<string> {
		const state = this.#states.get(name);
		if (state === "added") return await this.#remove(name, "removed");
		const type = this.#server.original(name);
		if (!type || !state) throw invalidParams(`${name} is as it was`);
		if (state === "terminated")
			throw invalidParams(`${name} has ended until the server begins anew`);
		this.#server.put(type);
		this.#states.delete(name);
		// A field less is no addition either.
		if (state !== "removed") await this.#server.end(name, schemaChanged(name));
		return `restored ${name}`;
	}

	/** The type of that name, which must be as its source gives it. */
	#untouched(name: string): SourceType {
		const type = this.#server.original(name);
		if (!type || !this.#server.isOffered(name))
			throw invalidParams(`there is no event type ${name} to change`);
		if (this.#states.has(name))
			throw invalidParams(`${name} has changed already; restore it first`);
		return type;
	}
}
