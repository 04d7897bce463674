// HMAC-SHA256 (RFC 2104) with one key, made of two hashes at a blow each: to set up and to take down what createHmac
// works with takes longer than the hashes do.
import { hash } from "node:crypto";

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
/** Where most texts are put together; nothing waits between that and the hash, so that one will do for all. */
const ROOM = Buffer.allocUnsafeSlow(16 * 1024);

/** A key of 64 bytes at most, which is all that a secret may have. */
export class HmacKey {
	readonly #inner: Buffer;
	/** Behind the pad is room for the inner digest. */
	readonly #outer: Buffer;

	constructor(key: Buffer) {
		if (key.length > BLOCK_BYTES)
			throw new RangeError("a key longer than a block is hashed first");
		this.#inner = padded(key, INNER_PAD);
		this.#outer = Buffer.concat([
			padded(key, OUTER_PAD),
			Buffer.alloc(DIGEST_BYTES),
		]);
	}

	/** The digest over what stands before the body, then the body; in base64, as it travels. */
	digest(prefix: Buffer, body: Buffer): string {
		const length = BLOCK_BYTES + prefix.length + body.length;
		const room = length > ROOM.length ? Buffer.allocUnsafeSlow(length) : ROOM;
		room.set(this.#inner);
		room.set(prefix, BLOCK_BYTES);
		room.set(body, BLOCK_BYTES + prefix.length);
		// As text: a buffer of its own for each digest takes as long as the hash.
		const inner = hash("sha256", room.subarray(0, length), "binary");
		this.#outer.write(inner, BLOCK_BYTES, "latin1");
		return hash("sha256", this.#outer, "base64");
	}
}

const padded = (key: Buffer, pad: number): Buffer =>
	Buffer.from(
		Uint8Array.from({ length: BLOCK_BYTES }, (_, at) => (key[at] ?? 0) ^ pad),
	);
