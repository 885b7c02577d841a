/** Resolves host names to allowed addresses only. */
import { lookup as resolveName, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { normalizeHost } from "./public-address.ts";

/** Replaces ENOTFOUND, because proxy-chain would answer it with status 404. */
function lookupFailure(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  return error.code === "ENOTFOUND" ? Object.assign(new Error(error.message), { code: "EAI_AGAIN" }) : error;
}

export interface LookupOptions {
  /** Whether an address may be contacted. */
  readonly isAllowed: (address: string) => boolean;
  /** Called for names without such an address. */
  readonly refuse: () => void;
  readonly resolve?: typeof resolveName;
  /** Only addresses of this family are returned for names that have one. */
  readonly preferredFamily: 4 | 6 | undefined;
}

/** @returns a dns.lookup that returns allowed addresses only */
export function allowedLookup({
  isAllowed,
  refuse,
  resolve = resolveName,
  preferredFamily,
}: LookupOptions): typeof resolveName {
  const look = (
    host: string,
    options: { all?: boolean; family?: number | "IPv4" | "IPv6" },
    done: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(lookupFailure(error), []);
      const ofBothFamilies = addresses.filter(({ address }) => isAllowed(address));
      const preferred = ofBothFamilies.filter(({ family }) => family === preferredFamily);
      const allowed = preferred.length > 0 ? preferred : ofBothFamilies;
      const [first] = allowed;
      if (!first) {
        refuse();
        return done(Object.assign(new Error(`${host} has no allowed address`), { code: "EACCES" }), []);
      }
      return options.all ? done(null, allowed) : done(null, first.address, first.family);
    });
  };
  return look as typeof resolveName;
}

/**
 * Checks a name before a proxy exit resolves it by itself. A name that cannot be resolved here is left to the proxy,
 * which may be the only one that can.
 * @param look of {@link allowedLookup}; absent for addresses
 * @throws Error when the name has no allowed address
 */
export async function checkResolvable(hostname: string, look: typeof resolveName | undefined): Promise<void> {
  if (!look || isIP(normalizeHost(hostname)) !== 0) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  look(hostname, { all: true }, (error) => (error?.code === "EACCES" ? reject(error) : resolve()));
  await promise;
}
