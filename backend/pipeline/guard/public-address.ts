/** Decides which IP addresses the egress guard may connect to. Pure: names are resolved elsewhere. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { HostEntry } from "../../../common/hosts.ts";

/** The ports of http and https; the guard opens no others. */
export const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);

/**
 * Services of clouds that give a machine its secrets and stand outside of the link-local range: of Azure, Alibaba,
 * Oracle, Amazon and Google.
 */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
]);

/** Ranges of networks that an operator may have. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(["loopback", "private", "carrierGradeNat", "uniqueLocal"]);

/** 2000::/3, the global unicast range of IPv6. Excludes ::a.b.c.d and other forms that carry IPv4. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** The well-known prefix of RFC 6052. Others belong to one network, which may translate them to any address. */
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Whether an address is public: not in a loopback, private, link-local, carrier, multicast, documentation or benchmark
 * range, not the metadata service of a cloud, and not an IPv6 form that carries an IPv4 address (mapped, NAT64, 6to4,
 * Teredo).
 * @param address in standard notation; any other text is not public
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || isMetadataAddress(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6);
}

/**
 * A name server of a network without IPv4 (DNS64) answers with addresses that carry an IPv4 address, and the network
 * translates them (NAT64, RFC 6052).
 * @param address in standard notation
 * @returns the address that is reached in the end: the one in 64:ff9b::/96, or the same
 */
export function addressBehind(address: string): string {
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.parse(address) as ipaddr.IPv6;
  if (!parsed.match(NAT64)) return address;
  return ipaddr.fromByteArray(parsed.toByteArray().slice(-4)).toString();
}

/**
 * Whether the metadata service of a cloud may answer at an address. Most are in the link-local range.
 * @param address in standard notation
 */
export function isMetadataAddress(address: string): boolean {
  const parsed = ipaddr.process(addressBehind(address));
  return parsed.range() === "linkLocal" || METADATA_ADDRESSES.has(parsed.toString());
}

/** @param address in standard notation */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.parse(address).range() === "loopback";
}

/** @param host a name or an address */
function isPrivateAddress(host: string): boolean {
  return isIP(host) !== 0 && PRIVATE_RANGES.has(ipaddr.parse(host).range()) && !isMetadataAddress(host);
}

/** @returns the host of a URL or CONNECT request in lower case, without brackets and final dot */
export function normalizeHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

/**
 * What the operator allowed for exactly this host and port. Subdomains of an entry are not allowed, and an entry without
 * a port allows links only.
 * @returns "private" for an entry that is a private address itself, or `localhost`; "port" for any other entry: who owns
 *   the name may let it resolve to any address, so public ones only are contacted, but at this port
 */
export function operatorAllows(entries: readonly HostEntry[], host: string, port: number): "private" | "port" | null {
  const name = normalizeHost(host);
  if (!entries.some((entry) => entry.host === name && entry.port === port)) return null;
  return name === "localhost" || isPrivateAddress(name) ? "private" : "port";
}
