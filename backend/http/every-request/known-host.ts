/**
 * The names under which the server answers. A page of another site can point its own name at this server (DNS
 * rebinding), and its calls are then of the same origin for browsers. Only the Host header tells.
 */
import { isIP } from "node:net";

/** Read by monitors and proxies under the names of a private network. They give nothing to a page of another site. */
const ANY_HOST_PATHS: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

/** @param host a valid Host header; undefined without one, which no browser sends */
export type HostCheck = (host: string | undefined, path: string) => boolean;

/** Names of a private network. Nobody can register them, so no site on the internet has one. */
const LOCAL_NAME = /^[^.]+$|\.(?:local|lan|internal|home\.arpa)$/;

/**
 * @param takesLocalNames whether names of a private network are accepted too, such as `nas` and `nas.local`
 * @returns a check that accepts the host of the public address, localhost, and addresses: nobody can repoint those
 */
export function createHostCheck(publicUrl: string, takesLocalNames = false): HostCheck {
  const names = new Set([new URL(publicUrl).hostname, "localhost"]);
  return (host, path) => {
    if (host === undefined || ANY_HOST_PATHS.has(path.split("?", 1)[0])) return true;
    const { hostname } = new URL(`http://${host}`);
    if (takesLocalNames && LOCAL_NAME.test(hostname)) return true;
    return names.has(hostname) || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  };
}
