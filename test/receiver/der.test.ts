import { describe, expect, it } from "vitest";
import {
	bitString,
	integer,
	octetString,
	oid,
	time,
} from "../../src/receiver/der.ts";

const hex = (bytes: Buffer) => bytes.toString("hex");

// The expected bytes are those of `openssl asn1parse -genstr … -out`.
describe("DER", () => {
	it.each([
		["00", "020100"],
		["7f", "02017f"],
		["80", "02020080"],
		["000001ff", "020201ff"],
		["ffff", "020300ffff"],
	])("writes the integer %s", (digits, written) => {
		expect(hex(integer(Buffer.from(digits, "hex")))).toBe(written);
	});

	it.each([
		["1.2.840.10045.4.3.2", "06082a8648ce3d040302"],
		["2.5.29.17", "0603551d11"],
		["1.3.6.1.5.5.7.3.1", "06082b06010505070301"],
	])("writes the identifier %s", (dotted, written) => {
		expect(hex(oid(dotted))).toBe(written);
	});

	it.each([
		[127, "047f"],
		[128, "048180"],
		[255, "0481ff"],
		[256, "04820100"],
		[65_536, "0483010000"],
	])("writes the length %i", (length, head) => {
		expect(hex(octetString(Buffer.alloc(length)))).toBe(
			head + "00".repeat(length),
		);
	});

	it("writes moments by their century, and bits with what is unused", () => {
		expect(hex(time(Date.UTC(2049, 11, 31, 23, 59, 59)))).toBe(
			`170d${hex(Buffer.from("491231235959Z"))}`,
		);
		expect(hex(time(Date.UTC(2050, 0, 1)))).toBe(
			`180f${hex(Buffer.from("20500101000000Z"))}`,
		);
		expect(hex(bitString(Buffer.from([0x80]), 7))).toBe("03020780");
	});
});
