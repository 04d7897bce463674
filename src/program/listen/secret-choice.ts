// Which of the known secrets a delivery may be signed with, and how they travel to a thread of ours.
import {
	type HeaderPair,
	headerValues,
	WEBHOOK_HEADERS,
} from "../../protocol/index.ts";
import { type NamedSecret, parseSecret } from "../../signing/index.ts";

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

/** What a delivery to a subscription of ours is known by. */
export interface Address {
	id: string | undefined;
	paths: readonly string[];
}

/** All secrets that are known: those that were given, and those of our own subscriptions. */
export interface SecretBook {
	given: readonly NamedSecret[];
	ours: readonly { address: Address; secrets: readonly NamedSecret[] }[];
}

/** The same in plain texts, for another thread of this process alone. */
export interface SecretTexts {
	given: readonly SecretText[];
	ours: readonly { address: Address; secrets: readonly SecretText[] }[];
}

interface SecretText {
	label: string;
	text: string;
}

/** Those that were given; else those of the subscription that the delivery is for; else all of ours. */
export function chooseSecrets({
	given,
	ours,
}: SecretBook): (delivery: Addressed) => SecretsFor {
	const all = ours.flatMap(({ secrets }) => secrets);
	if (given.length > 0) return () => ({ secrets: given, otherSecrets: all });
	return (delivery) => {
		const own = ours.filter(({ address }) => isAddressed(address, delivery));
		if (own.length === 0) return { secrets: all, otherSecrets: [] };
		const secrets = own.flatMap((one) => one.secrets);
		const otherSecrets = all.filter((one) => !secrets.includes(one));
		return { secrets, otherSecrets };
	};
}

/** Whether a delivery is for the subscription with that address. */
export function isAddressed(address: Address, delivery: Addressed): boolean {
	const ids = headerValues(delivery.headers, WEBHOOK_HEADERS.subscriptionId);
	if (address.id !== undefined && ids.includes(address.id)) return true;
	const path = delivery.path.split("?", 1)[0] ?? "";
	return address.paths.includes(path);
}

/** What a thread is given, for it takes no objects with methods. */
export const writeSecretTexts = ({ given, ours }: SecretBook): SecretTexts => ({
	given: given.map(writeText),
	ours: ours.map(({ address: { id, paths }, secrets }) => ({
		address: { id, paths },
		secrets: secrets.map(writeText),
	})),
});

/** The book that was written. Throws `secret-invalid`, though never for what was read once. */
export const readSecretTexts = ({ given, ours }: SecretTexts): SecretBook => ({
	given: given.map(readText),
	ours: ours.map(({ address, secrets }) => ({
		address,
		secrets: secrets.map(readText),
	})),
});

// As it was written: a search for mistakes tries that text, too.
const writeText = ({ label, secret }: NamedSecret): SecretText => ({
	label,
	text: secret.revealAsWritten(),
});

const readText = ({ label, text }: SecretText): NamedSecret => ({
	label,
	secret: parseSecret(text),
});
