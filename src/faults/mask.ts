// Hides credentials of ours in what a server says of them: texts for people, and logs.

const MASK = "***";
/** Whatever is shorter stands in too many texts to tell anything, and to be hidden. */
const SECRET_CHARACTERS = 8;

/**
 * What hides each of the secrets, and each of its words, in a text: as it is, and as JSON may spell it, with its slashes
 * escaped too.
 */
export function createMask(
	secrets: readonly string[],
): (text: string) => string {
	const words = secrets.flatMap((secret) => [secret, ...secret.split(/\s+/)]);
	const forms = words
		.filter(({ length }) => length >= SECRET_CHARACTERS)
		.flatMap((word) => [word, JSON.stringify(word).slice(1, -1)])
		.flatMap((form) => [form, form.replaceAll("/", "\\/")]);
	const different = [...new Set(forms)];
	return (text) =>
		different.reduce((shown, form) => shown.replaceAll(form, MASK), text);
}
