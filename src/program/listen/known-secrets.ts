// Which secrets a delivery may be signed with: those of --secret-file, else those of the subscription it belongs to.
import { Fault, shellWord } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import { type NamedSecret, parseSecret } from "../../signing/index.ts";
import { openWorldRegistry } from "../connect/state-place.ts";
import type { PlaceFlags, SecretFlags } from "../flags/capture-flags.ts";
import { readTextFile } from "../flags/files.ts";
import type { World } from "../process/world.ts";
import {
	type Address,
	type Addressed,
	chooseSecrets,
	isAddressed,
	type SecretBook,
	type SecretsFor,
} from "./secret-choice.ts";

export interface KnownSecrets {
	/** How many there are at all. */
	count: number;
	/** All of them, for whoever must hand them on. */
	book: SecretBook;
	forDelivery(delivery: Addressed): SecretsFor;
	/** What to sign with; undefined where that would be a guess. */
	toSign(delivery: Addressed): Signer | undefined;
}

export interface Signer {
	secret: NamedSecret;
	/** The id of the subscription of ours that it is for. */
	subscriptionId: string | undefined;
}

/** Reads the secrets of the flags, and those of the state folder. Throws `wrong-use` or `secret-invalid`. */
export async function readKnownSecrets(
	flags: SecretFlags & PlaceFlags,
	pieces: { world: World; output: Output },
): Promise<KnownSecrets> {
	const { output } = pieces;
	const given: NamedSecret[] = [];
	for (const path of flags["secret-file"] ?? [])
		given.push(...(await readSecretFile(path, output)));
	const ours = await readOurs(flags, pieces);
	const count = ours.reduce(
		(sum, { secrets }) => sum + secrets.length,
		given.length,
	);
	const book = { given, ours };
	return {
		count,
		book,
		forDelivery: chooseSecrets(book),
		toSign(delivery) {
			const own = ours.find(({ address }) => isAddressed(address, delivery));
			const secret = given[0] ?? own?.secrets[0];
			return secret && { secret, subscriptionId: own?.address.id };
		},
	};
}

/** The secrets in a file, one a line; empty lines and lines that begin with # are none. */
export async function readSecretFile(
	path: string,
	output: Output,
): Promise<NamedSecret[]> {
	const make = `make one: mcp-events secret > ${shellWord(path)}`;
	const text = await readTextFile(path, "--secret-file", make);
	const lines = text
		.split("\n")
		.map((line, at) => ({ line: line.trim(), at }))
		.filter(({ line }) => line !== "" && !line.startsWith("#"));
	if (lines.length === 0)
		throw new Fault("wrong-use", {
			what: `--secret-file ${path} holds no secret`,
			why: "no line in it has anything on it",
			next: make,
		});
	return lines.map(({ line, at }) => {
		const label = lines.length > 1 ? `${path}, line ${at + 1}` : path;
		const secret = readSecret(line, label);
		for (const note of secret.notes) output.say(`${label}: ${note}`);
		return { label, secret };
	});
}

function readSecret(line: string, label: string) {
	try {
		return parseSecret(line);
	} catch (cause) {
		if (!(cause instanceof Fault)) throw cause;
		const { code, why, next } = cause;
		throw new Fault(code, {
			what: `the secret in ${label} is not one that Standard Webhooks can use`,
			...(why ? { why } : {}),
			...(next ? { next } : {}),
			cause,
		});
	}
}

interface OurSecrets {
	address: Address;
	secrets: NamedSecret[];
}

async function readOurs(
	flags: PlaceFlags,
	pieces: { world: World; output: Output },
): Promise<OurSecrets[]> {
	const registry = openWorldRegistry(flags, pieces);
	const ours: OurSecrets[] = [];
	for (const { record } of await registry.list()) {
		const texts = await registry.secretsOf(record.key);
		const name = `the secret of ${record.event} at ${record.server}`;
		const secrets = texts.map((text, at) => ({
			label: at === 0 ? name : `an older secret: ${name}`,
			secret: parseSecret(text),
		}));
		ours.push({ address: record, secrets });
	}
	return ours;
}
