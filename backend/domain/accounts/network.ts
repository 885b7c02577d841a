/** The networks of addresses, for limits. */
import { createHmac } from "node:crypto";
import ipaddr from "ipaddr.js";

/** A host can use every address of its /64 (RFC 4291, section 2.5.4). */
const IPV6_NETWORK_BITS = 64;
/** The smallest IPv4 network that is announced on the internet; rented addresses often come in one. */
const IPV4_SUBNET_BITS = 24;

/**
 * The network that a rate limit counts as one visitor.
 * @returns an IPv4 address itself, also if it is mapped into IPv6; the /64 of an IPv6 address; any other text unchanged
 */
export function networkOf(address: string): string {
  return prefixOf(address, 32);
}

/**
 * The network that a limit of what is open at the same time counts as one.
 * @returns the /24 of an IPv4 address or the /64 of an IPv6 address; any other text unchanged
 */
export function subnetOf(address: string): string {
  return prefixOf(address, IPV4_SUBNET_BITS);
}

function prefixOf(address: string, ipv4Bits: number): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  const bits = parsed instanceof ipaddr.IPv4 ? ipv4Bits : IPV6_NETWORK_BITS;
  const kept = parsed
    .toByteArray()
    .map((byte, index) => byte & (0xff << Math.min(8, Math.max(0, 8 * (index + 1) - bits))));
  const prefix = ipaddr.fromByteArray(kept).toString();
  return bits === 8 * kept.length ? prefix : `${prefix}/${bits}`;
}

/** Enough to tell networks apart. */
const CODE_LENGTH = 16;

/**
 * @param key a secret; without it nobody can find the address of a code by trying all addresses
 * @returns gives the code of the network of an address, which is stored instead of the address
 */
export function createNetworkCode(key: string): (address: string) => string {
  return (address) =>
    createHmac("sha256", key)
      .update(`network:${subnetOf(address)}`)
      .digest("base64url")
      .slice(0, CODE_LENGTH);
}
