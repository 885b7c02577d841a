/** Decides which IP addresses the egress guard may connect to. Pure: names are resolved elsewhere. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { HostEntry } from "../../../common/hosts.ts";

/** The ports of http and https; the guard opens no others. */
export const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Services of clouds at addresses that count as public: 168.63.129.16 gives machines of Azure their secrets. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** 2000::/3, the global unicast range of IPv6. Excludes ::a.b.c.d and other forms that carry IPv4. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address is public: not in a loopback, private, link-local, carrier, multicast, documentation or benchmark
 * range, not the metadata service of a cloud, and not an IPv6 form that carries an IPv4 address (mapped, NAT64, 6to4,
 * Teredo).
 * @param address in standard notation; any other text is not public
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || METADATA_ADDRESSES.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6);
}

/** @returns the host of a URL or CONNECT request in lower case, without brackets and final dot */
export function normalizeHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

/**
 * Whether the operator allowed exactly this host and port. Subdomains of an entry are not allowed, and an entry without
 * a port allows links, not private addresses.
 */
export function isOperatorsOwn(entries: readonly HostEntry[], host: string, port: number): boolean {
  const name = normalizeHost(host);
  return entries.some((entry) => entry.host === name && entry.port === port);
}
