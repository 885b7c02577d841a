/** The network of an address: rate limits count all addresses of an IPv6 network as one. */
import ipaddr from "ipaddr.js";

/**
 * The groups of an IPv6 address that name the network. A host can use every address of its network (RFC 4291, section
 * 2.5.4).
 */
const NETWORK_GROUPS = 4;

/**
 * @returns an IPv4 address itself, also if it is mapped into IPv6; the /64 of an IPv6 address; any other text unchanged
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.map((group, index) => (index < NETWORK_GROUPS ? group : 0));
  return `${new ipaddr.IPv6(groups).toString()}/64`;
}
