/** Resolves host names to public addresses only. */
import { lookup as resolveName, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { normalizeHost } from "./public-address.ts";

/** Replaces ENOTFOUND, because proxy-chain would answer it with status 404. */
function lookupFailure(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  return error.code === "ENOTFOUND" ? Object.assign(new Error(error.message), { code: "EAI_AGAIN" }) : error;
}

/**
 * @param isAllowed whether an address may be contacted
 * @returns a dns.lookup that returns allowed addresses only, and calls `refuse` for names without any
 */
export function publicLookup(isAllowed: (address: string) => boolean, refuse: () => void): typeof resolveName {
  const look = (
    host: string,
    options: { all?: boolean; family?: number | "IPv4" | "IPv6" },
    done: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    resolveName(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(lookupFailure(error), []);
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (!first) {
        refuse();
        return done(Object.assign(new Error(`${host} has no public address`), { code: "EACCES" }), []);
      }
      return options.all ? done(null, allowed) : done(null, first.address, first.family);
    });
  };
  return look as typeof resolveName;
}

/**
 * Checks a name before a proxy exit resolves it by itself. A name that cannot be resolved here is left to the proxy,
 * which may be the only one that can.
 * @param look of {@link publicLookup}; absent for hosts that are not checked
 * @throws Error when the name has no public address
 */
export async function checkResolvable(hostname: string, look: typeof resolveName | undefined): Promise<void> {
  if (!look || isIP(normalizeHost(hostname)) !== 0) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  look(hostname, { all: true }, (error) => (error?.code === "EACCES" ? reject(error) : resolve()));
  await promise;
}
