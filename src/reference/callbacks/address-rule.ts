// Which addresses may be called: public ones, and what the operator lets through.
import { BlockList, isIP } from "node:net";
import { Fault } from "../../faults/index.ts";
import { isPublicAddress } from "./special-blocks.ts";

/** Whether an address may be dialled. */
export type AddressRule = (address: string) => boolean;

const NAT64 = new BlockList();
NAT64.addSubnet("64:ff9b::", 96, "ipv6");

/** Makes the rule; `cidrs` are blocks (or single addresses) that pass although they are not public. Throws `wrong-use`. */
export function makeAddressRule(cidrs: readonly string[]): AddressRule {
	const letThrough = new BlockList();
	for (const cidr of cidrs) addCidr(letThrough, cidr);
	return (address) => {
		const family = familyOf(address);
		if (!family) return false;
		return letThrough.check(address, family) || isPublic(address, letThrough);
	};
}

function isPublic(address: string, letThrough: BlockList): boolean {
	// A network without IPv4 reaches the IPv4 world by these addresses: what counts is whom the translator would call.
	if (isIP(address) === 6 && NAT64.check(address, "ipv6")) {
		const inner = lastFourBytes(address);
		return letThrough.check(inner, "ipv4") || isPublicAddress(inner);
	}
	return isPublicAddress(address);
}

/** A zone (`%eth0`) names an interface of this machine: never public, and no block can hold it. */
function familyOf(address: string): "ipv4" | "ipv6" | undefined {
	if (address.includes("%")) return undefined;
	const family = isIP(address);
	if (family === 0) return undefined;
	return family === 6 ? "ipv6" : "ipv4";
}

/** The IPv4 address in the last 32 bits of an address under 64:ff9b::/96. */
function lastFourBytes(address: string): string {
	// The URL parser writes every spelling in one way, and what it leaves out is zero.
	const { hostname } = new URL(`http://[${address}]`);
	return hostname
		.slice(1, -1)
		.split(":")
		.slice(-2)
		.map((group) => Number.parseInt(group || "0", 16))
		.map((group) => `${group >> 8}.${group & 255}`)
		.join(".");
}

function addCidr(list: BlockList, cidr: string): void {
	const [network = "", bits, ...more] = cidr.split("/");
	const family = familyOf(network);
	const most = family === "ipv6" ? 128 : 32;
	const length = bits === undefined ? most : Number(bits);
	const isLength = bits === undefined || /^\d{1,3}$/.test(bits);
	if (!family || !isLength || length > most || more.length > 0)
		throw new Fault("wrong-use", {
			what: `${JSON.stringify(cidr)} is no block of addresses`,
			why: "--allow-private-callbacks takes an IP address, a slash, and how many of its bits count",
			next: "--allow-private-callbacks 127.0.0.0/8",
		});
	list.addSubnet(network, length, family);
}
