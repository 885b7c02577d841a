/** Whose address it is, for counting: one network is one visitor, however many addresses it has. */
import ipaddr from "ipaddr.js";

/**
 * The half of an IPv6 address that names the network; whoever has one has all of the other half (RFC 4291, section
 * 2.5.4).
 */
const NETWORK_GROUPS = 4;

/**
 * @returns an IPv4 address itself, also when it comes mapped into IPv6; of an IPv6 one its /64; anything else as it is
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.map((group, index) => (index < NETWORK_GROUPS ? group : 0));
  return `${new ipaddr.IPv6(groups).toString()}/64`;
}
