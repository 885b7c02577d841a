/**
 * The public addresses of this machine and of the site. Services that a firewall closes to others may answer there, so
 * the egress guard does not connect to them.
 */
import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { normalizeHost } from "./public-address.ts";

/** How long the addresses are kept before they are read again. */
const KEEP_MS = 10 * 60 * 1_000;

export interface OwnAddresses extends Disposable {
  /** Resolves when the site's name was resolved for the first time, which may take long without a name server. */
  readonly resolved: Promise<void>;
  /** @param address in standard notation */
  has(address: string): boolean;
  /** @param hostname in lower case, without brackets and final dot */
  isOwnName(hostname: string): boolean;
}

export interface OwnAddressOptions {
  readonly publicUrl: string;
  /** @returns the addresses of the network interfaces */
  readonly interfaceAddresses?: () => readonly string[];
  /** @returns the addresses of a host name; rejects when it has none */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

/**
 * Reads the addresses of the interfaces and those that the site's name resolves to: behind a router the machine itself
 * does not have the site's address. Both are read again every ten minutes.
 */
export function watchOwnAddresses(options: OwnAddressOptions): OwnAddresses {
  const { interfaceAddresses = addressesOfInterfaces, resolve = resolveAll } = options;
  const name = normalizeHost(new URL(options.publicUrl).hostname);
  let addresses: ReadonlySet<string> = new Set();
  const store = (ofName: readonly string[]): void => {
    addresses = new Set([...interfaceAddresses(), ...ofName].map((address) => address.toLowerCase()));
  };
  const read = async (): Promise<void> => {
    // A name that cannot be resolved is no error: nobody can connect to it either.
    store(await resolve(name).catch(() => []));
  };
  store([]);
  const resolved = read();
  const timer = setInterval(() => void read(), KEEP_MS).unref();
  return {
    resolved,
    has: (address) => addresses.has(address.toLowerCase()),
    isOwnName: (hostname) => hostname === name,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function addressesOfInterfaces(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
}

async function resolveAll(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}
