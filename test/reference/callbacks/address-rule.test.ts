import { describe, expect, it } from "vitest";
import { makeAddressRule } from "../../../src/reference/callbacks/address-rule.ts";

const wrongUse = expect.objectContaining({ code: "wrong-use" });

describe("blocks that --allow-private-callbacks lets through", () => {
	it.each([
		["10.0.0.0/8", "10.255.255.255", true],
		["10.0.0.0/8", "11.0.0.1", true],
		["10.0.0.0/8", "192.168.0.1", false],
		["10.1.0.0/16", "10.2.0.0", false],
		["127.0.0.1", "127.0.0.1", true],
		["127.0.0.1", "127.0.0.2", false],
		["127.0.0.1/32", "::ffff:127.0.0.1", true],
		["127.0.0.1/32", "::ffff:127.0.0.2", false],
		["127.0.0.1/32", "::127.0.0.1", false],
		["10.0.0.0/8", "64:ff9b::10.0.0.1", true],
		["10.0.0.0/8", "64:ff9b::11.0.0.1", true],
		["10.0.0.0/8", "64:ff9b::127.0.0.1", false],
		["0.0.0.0/0", "169.254.169.254", true],
		["0.0.0.0/0", "fd00::1", false],
		["::1", "::1", true],
		["::1/128", "::2", false],
		["fd00::/8", "fd12:3456::1", true],
		["fd00::/8", "fc00::1", false],
		["::/0", "fe80::1", true],
		["::/0", "fe80::1%eth0", false],
		["::/0", "no address", false],
	])("%s and %s: %s", (cidr, address, isAllowed) => {
		expect(makeAddressRule([cidr])(address)).toBe(isAllowed);
	});

	it.each([
		"",
		"localhost",
		"10.0.0.0/33",
		"10.0.0.0/",
		"10.0.0.0/x",
		"10.0.0.0/8/8",
		"10.0.0.0/-1",
		"10.0.0.0/0x8",
		"10.0/8",
		"::1/129",
		"fe80::1%eth0",
	])("cannot be written %j", (cidr) => {
		expect(() => makeAddressRule([cidr])).toThrow(wrongUse);
	});
});
