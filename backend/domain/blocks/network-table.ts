import ipaddr from "ipaddr.js";

type Family = "ipv4" | "ipv6";

/**
 * Finds the networks that contain an address. For each length of prefix in the table it looks once into a map, so that
 * the number of networks does not matter.
 */
export class NetworkTable<T> {
  readonly #values = new Map<string, T>();
  readonly #lengths: Readonly<Record<Family, Set<number>>> = { ipv4: new Set(), ipv6: new Set() };

  /** @param network such as 203.0.113.0/24 */
  add(network: string, value: T): void {
    const [address, bits] = ipaddr.parseCIDR(network);
    this.#lengths[address.kind()].add(bits);
    this.#values.set(keyOf(address.toByteArray(), bits), value);
  }

  /**
   * @param address IPv4, also mapped into IPv6, or IPv6; any other text is in no network
   * @returns the values of all networks that contain it
   */
  find(address: string): T[] {
    if (this.#values.size === 0 || !ipaddr.isValid(address)) return [];
    const parsed = ipaddr.process(address);
    const bytes = parsed.toByteArray();
    return Array.from(this.#lengths[parsed.kind()], (bits) => this.#values.get(keyOf(bytes, bits))).filter(
      (value) => value !== undefined,
    );
  }
}

/** The bits of a prefix as text; the number of bytes keeps IPv4 and IPv6 apart. */
function keyOf(bytes: readonly number[], bits: number): string {
  const kept = bytes.map((byte, index) => byte & (0xff << Math.min(8, Math.max(0, 8 * (index + 1) - bits))));
  return `${kept.join(".")}/${bits}`;
}
