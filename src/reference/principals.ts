// Who calls: bearer tokens and the names they stand for. A token is looked for in the same time whatever it is.
import { createHash, timingSafeEqual } from "node:crypto";
import { Fault } from "../faults/index.ts";

export interface PrincipalToken {
	principal: string;
	token: string;
}

export interface Principals {
	/** Whether every call needs a token. Without tokens nobody has a principal, and nobody needs one. */
	readonly areKnown: boolean;
	/** The principal that an Authorization header names. */
	of(authorization: string | undefined): string | undefined;
	/** Whether anybody can come under this name. */
	has(principal: string): boolean;
}

/** RFC 6750 2.1; the scheme counts without case. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;
const PRINCIPAL = /^[\x21-\x7e]{1,100}$/;

/** A principal may have several tokens. Throws `wrong-use` for one that cannot be sent, and for one that two share. */
export function createPrincipals(
	tokens: readonly PrincipalToken[],
): Principals {
	const known = tokens.map(readToken);
	for (const [at, { digest, principal }] of known.entries()) {
		const other = known.findIndex((one) => one.digest.equals(digest));
		if (known[other]?.principal !== principal && other < at)
			throw new Fault("wrong-use", {
				what: `${known[other]?.principal} and ${principal} have the same token`,
				why: "the token alone says who calls",
				next: "give each principal a token of its own",
			});
	}
	return {
		areKnown: known.length > 0,
		of(authorization) {
			const sent = BEARER.exec(authorization ?? "")?.[1];
			if (sent === undefined) return undefined;
			const digest = digestOf(sent);
			let found: string | undefined;
			// All of them, whichever fits: how long it takes says nothing.
			for (const one of known)
				if (timingSafeEqual(one.digest, digest)) found = one.principal;
			return found;
		},
		has: (name) => known.some(({ principal }) => principal === name),
	};
}

function readToken({ principal, token }: PrincipalToken) {
	if (!PRINCIPAL.test(principal))
		throw new Fault("wrong-use", {
			what: `${JSON.stringify(principal)} cannot name a principal`,
			why: "a name is 1 to 100 visible ASCII characters",
			next: "--token me=env:MY_TOKEN",
		});
	if (!TOKEN.test(token))
		throw new Fault("wrong-use", {
			what: `the token of ${principal} cannot be sent in an Authorization header`,
			why:
				token === ""
					? "it is empty"
					: "a bearer token has letters, digits and - . _ ~ + / alone, with = at its end",
			next: "make one: openssl rand -hex 32",
		});
	return { principal, digest: digestOf(token) };
}

/** Of one length whatever the token's is. */
const digestOf = (token: string) => createHash("sha256").update(token).digest();

/** Whether a bearer token was sent at all, be it a known one. */
export const hasBearer = (authorization: string | undefined) =>
	/^bearer +\S/i.test(authorization ?? "");
