// The IANA special-purpose address registries (RFC 6890 and its updates), IPv4 and IPv6: no callback lives in any of their
// blocks. Multicast has registries of its own, and IPv6 has handed out nothing outside 2000::/3.
import { BlockList, isIP } from "node:net";

/** Block, then its name there. Those that lie within another are listed too, so that none is missed when it changes. */
const SPECIAL_BLOCKS: readonly (readonly [cidr: string, name: string])[] = [
	["0.0.0.0/8", "This network"],
	["10.0.0.0/8", "Private-Use"],
	["100.64.0.0/10", "Shared Address Space"],
	["127.0.0.0/8", "Loopback"],
	["169.254.0.0/16", "Link Local"],
	["172.16.0.0/12", "Private-Use"],
	["192.0.0.0/29", "IPv4 Service Continuity Prefix"],
	["192.0.0.8/32", "IPv4 dummy address"],
	["192.0.0.9/32", "Port Control Protocol Anycast"],
	["192.0.0.10/32", "TURN Anycast"],
	["192.0.0.170/31", "NAT64/DNS64 Discovery"],
	["192.0.0.0/24", "IETF Protocol Assignments"],
	["192.0.2.0/24", "Documentation (TEST-NET-1)"],
	["192.31.196.0/24", "AS112-v4"],
	["192.52.193.0/24", "AMT"],
	["192.88.99.0/24", "Deprecated (6to4 Relay Anycast)"],
	["192.168.0.0/16", "Private-Use"],
	["192.175.48.0/24", "Direct Delegation AS112 Service"],
	["198.18.0.0/15", "Benchmarking"],
	["198.51.100.0/24", "Documentation (TEST-NET-2)"],
	["203.0.113.0/24", "Documentation (TEST-NET-3)"],
	["224.0.0.0/4", "Multicast"],
	["255.255.255.255/32", "Limited Broadcast"],
	["240.0.0.0/4", "Reserved"],
	["::/128", "Unspecified Address"],
	["::1/128", "Loopback Address"],
	["::ffff:0:0/96", "IPv4-mapped Address"],
	["::/96", "Deprecated (IPv4-compatible Address)"],
	["64:ff9b::/96", "IPv4-IPv6 Translat."],
	["64:ff9b:1::/48", "IPv4-IPv6 Translat., local use"],
	["100::/64", "Discard-Only Address Block"],
	["100:0:0:1::/64", "Dummy IPv6 Prefix"],
	["2001::/32", "TEREDO"],
	["2001:1::1/128", "Port Control Protocol Anycast"],
	["2001:1::2/128", "TURN Anycast"],
	["2001:1::3/128", "DNS-SD Service Registration Protocol Anycast"],
	["2001:2::/48", "Benchmarking"],
	["2001:3::/32", "AMT"],
	["2001:4:112::/48", "AS112-v6"],
	["2001:10::/28", "Deprecated (ORCHID)"],
	["2001:20::/28", "ORCHIDv2"],
	["2001:30::/28", "Drone Remote ID Protocol Entity Tags"],
	["2001::/23", "IETF Protocol Assignments"],
	["2001:db8::/32", "Documentation"],
	["2002::/16", "6to4"],
	["2620:4f:8000::/48", "Direct Delegation AS112 Service"],
	["3fff::/20", "Documentation"],
	["5f00::/16", "Segment Routing (SRv6) SIDs"],
	["fc00::/7", "Unique-Local"],
	["fe80::/10", "Link-Local Unicast"],
	["fec0::/10", "Deprecated (Site-Local Unicast)"],
	["ff00::/8", "Multicast"],
];

// A list for each family: asked for a mapped address, a rule of IPv4 would answer for the address within.
const SPECIAL_V4 = new BlockList();
const SPECIAL_V6 = new BlockList();
for (const [cidr] of SPECIAL_BLOCKS) {
	const [network = "", bits] = cidr.split("/");
	if (isIP(network) === 4) SPECIAL_V4.addSubnet(network, Number(bits), "ipv4");
	else SPECIAL_V6.addSubnet(network, Number(bits), "ipv6");
}
const GLOBAL_UNICAST_V6 = new BlockList();
GLOBAL_UNICAST_V6.addSubnet("2000::", 3, "ipv6");

/** Whether an address stands in none of the blocks. `address` is one of isIP. */
export function isPublicAddress(address: string): boolean {
	if (isIP(address) === 4) return !SPECIAL_V4.check(address, "ipv4");
	return (
		GLOBAL_UNICAST_V6.check(address, "ipv6") &&
		!SPECIAL_V6.check(address, "ipv6")
	);
}
