// Which secrets a delivery may be signed with: those of --secret-file, else those of the subscription it belongs to.
import { Fault, shellWord } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import {
	type HeaderPair,
	headerValues,
	WEBHOOK_HEADERS,
} from "../../protocol/index.ts";
import { type NamedSecret, parseSecret } from "../../signing/index.ts";
import type { SubscriptionRecord } from "../../state/index.ts";
import { openWorldRegistry } from "../connect/state-place.ts";
import type { PlaceFlags, SecretFlags } from "../flags/capture-flags.ts";
import { readTextFile } from "../flags/files.ts";
import type { World } from "../process/world.ts";

/** What tells whose a delivery is. */
export interface Addressed {
	path: string;
	headers: readonly HeaderPair[];
	subscription?: string;
}

export interface SecretsFor {
	secrets: readonly NamedSecret[];
	/** Ours too, but of other subscriptions. */
	otherSecrets: readonly NamedSecret[];
}

export interface KnownSecrets {
	/** How many there are at all. */
	count: number;
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
	const all = ours.flatMap(({ secrets }) => secrets);
	return {
		count: given.length + all.length,
		forDelivery(delivery) {
			if (given.length > 0) return { secrets: given, otherSecrets: all };
			const own = ours.filter(({ record }) => isOf(record, delivery));
			if (own.length === 0) return { secrets: all, otherSecrets: [] };
			const secrets = own.flatMap((one) => one.secrets);
			const otherSecrets = all.filter((one) => !secrets.includes(one));
			return { secrets, otherSecrets };
		},
		toSign(delivery) {
			const own = ours.find(({ record }) => isOf(record, delivery));
			const secret = given[0] ?? own?.secrets[0];
			return secret && { secret, subscriptionId: own?.record.id };
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
	record: SubscriptionRecord;
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
		ours.push({ record, secrets });
	}
	return ours;
}

function isOf(record: SubscriptionRecord, delivery: Addressed): boolean {
	const ids = headerValues(delivery.headers, WEBHOOK_HEADERS.subscriptionId);
	if (record.id !== undefined && ids.includes(record.id)) return true;
	const path = delivery.path.split("?", 1)[0] ?? "";
	return record.paths.includes(path);
}
