// The record of a flaw that breaks a rule of one scenario.
import type { Flaw, FlawTools, Hooks } from "./flaw.ts";

/** Returns the maker of a scenario's flaws: a flaw's name, the rule that it breaks, what it does, and how. */
export const flawOf =
	(scenario: string) =>
	(
		name: string,
		rule: string,
		about: string,
		hooks: Hooks | ((tools: FlawTools) => Hooks),
	): Flaw => ({
		name,
		scenario,
		rule,
		about,
		make: (_value, tools) =>
			typeof hooks === "function" ? hooks(tools) : hooks,
	});
