import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A mail server, and how to connect to it. */
export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
  /**
   * `tls`: from the first byte. `starttls`: the server must upgrade the connection. `offered`: it is upgraded if the
   * server offers that, and the certificate is not verified, because a private host has none that can be.
   */
  readonly encryption: "tls" | "starttls" | "offered";
  readonly login: { readonly name: string; readonly password: string } | null;
}

/** RFC 8314, section 7.3, and RFC 6409. */
const DEFAULT_PORTS = { "smtps:": 465, "smtp:": 587 } as const;
const PRIVATE_RANGES: ReadonlySet<string> = new Set(["loopback", "private", "uniqueLocal", "linkLocal"]);

/**
 * @param text such as smtps://name:password@mail.example:465; special characters of name and password are
 *   percent-encoded
 * @throws RangeError
 */
export function parseSmtpAddress(text: string): SmtpAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:")) throw new RangeError("not an address");
  const { protocol } = url;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  // What would be ignored is refused: it may be the rest of a password that is not percent-encoded.
  const hasMore = (url.pathname !== "" && url.pathname !== "/") || url.search !== "" || url.hash !== "";
  if (hasMore || !(isIP(host) > 0 || /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(host)))
    throw new RangeError("not an address");
  return {
    host,
    port: url.port === "" ? DEFAULT_PORTS[protocol] : Number(url.port),
    encryption: protocol === "smtps:" ? "tls" : isPrivate(host) ? "offered" : "starttls",
    login: readLogin(url),
  };
}

function readLogin({ username, password }: URL): SmtpAddress["login"] {
  if (username === "" && password === "") return null;
  if (username === "" || password === "") throw new RangeError("a name without a password, or the other way round");
  try {
    return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch (error) {
    throw new RangeError("a percent sign that is not encoded", { cause: error });
  }
}

/** Whether a connection to the host stays in a network of the operator's own: a name without a dot is one of these. */
function isPrivate(host: string): boolean {
  if (isIP(host) > 0) return PRIVATE_RANGES.has(ipaddr.process(host).range());
  return !host.includes(".") || /\.(?:localhost|local|internal)$/i.test(host);
}
