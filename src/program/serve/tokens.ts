// --token NAME=TOKEN: who may call, and with what.
import { Fault } from "../../faults/index.ts";
import type { HttpOptions } from "../../reference/index.ts";
import type { World } from "../process/world.ts";
import { readReference } from "./reference.ts";

type Tokens = NonNullable<HttpOptions["tokens"]>;

/** Throws `wrong-use` for a text without `=`, and for a file or variable that cannot be read. */
export async function readTokens(
	texts: readonly string[],
	world: Pick<World, "env">,
): Promise<Tokens> {
	const tokens: Tokens[number][] = [];
	for (const text of texts) {
		const at = text.indexOf("=");
		// What was typed may be the token alone: it is not repeated.
		if (at < 1)
			throw new Fault("wrong-use", {
				what: "--token names no principal",
				why: "it is NAME=TOKEN, NAME=@FILE or NAME=env:VAR",
				next: "--token me=env:MY_TOKEN",
			});
		const reference = text.slice(at + 1);
		const token = await readReference(reference, "--token", world);
		tokens.push({ principal: text.slice(0, at), token });
	}
	return tokens;
}
