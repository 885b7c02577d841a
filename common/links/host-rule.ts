/** Which hosts links may lead to. */
import type { HostEntry } from "../hosts.ts";
import type { HostRule } from "./link.ts";

/** @returns a rule that accepts the listed hosts, and the subdomains of those that have a name */
export function hostRule(hosts: readonly HostEntry[]): HostRule {
  return (url) => hosts.some((entry) => matchesHost(url, entry));
}

function matchesHost(url: URL, entry: HostEntry): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isHost = host === entry.host || (!isAddress(entry.host) && isSubdomain(host, entry.host));
  return isHost && url.port === (entry.port === undefined ? "" : effectivePort(entry.port, url.protocol));
}

/** No label of a name is empty: `.youtu.be` and `a..youtu.be` are no names. */
function isSubdomain(host: string, name: string): boolean {
  return host.endsWith(`.${name}`) && !host.split(".").includes("");
}

/** The port as `URL.port` gives it: empty for the default port of the scheme. */
function effectivePort(port: number, protocol: string): string {
  return (protocol === "https:" && port === 443) || (protocol === "http:" && port === 80) ? "" : String(port);
}

/** IP addresses have no subdomains. */
function isAddress(host: string): boolean {
  return host.includes(":") || /^\d+(?:\.\d+){3}$/.test(host);
}
