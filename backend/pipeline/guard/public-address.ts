/** Which addresses may be contacted for a stranger. Pure; names have been resolved before. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { HostEntry } from "../../../common/hosts.ts";

/** The ports a host entry without one stands for. */
const SCHEME_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** 2000::/3, all that is handed out of IPv6; also keeps out ::a.b.c.d and other ways to write IPv4. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address in standard notation is a public host's: no loopback, private, link-local,
 * carrier, multicast, documentation or benchmark range, and no IPv6 form that carries an IPv4 address
 * (mapped, NAT64, 6to4, Teredo). What cannot be read is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6);
}

/** A host as URLs and CONNECT write it, made comparable: lower case, no brackets, no final dot. */
export function normalizeHost(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

/** Whether the operator named exactly this host and port; hosts below an entry do not count. */
export function isOperatorsOwn(entries: readonly HostEntry[], host: string, port: number): boolean {
  const name = normalizeHost(host);
  return entries.some(
    (entry) => entry.host === name && (entry.port === undefined ? SCHEME_PORTS.has(port) : entry.port === port),
  );
}
