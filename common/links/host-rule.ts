/** Which hosts links may lead to. */
import { acceptsAnyHost, showsVideosOfYouTube, type HostEntry } from "../hosts.ts";
import type { HostRule } from "./link.ts";

/**
 * @param hosts with the entry `any`, every host with a public name is accepted too; what its name resolves to, the guard
 *   of all connections checks
 * @returns a rule that accepts the listed hosts, and the subdomains of those that have a name
 */
export function hostRule(hosts: readonly HostEntry[]): HostRule {
  const isAny = acceptsAnyHost(hosts);
  return (url) => (isAny && isPublicName(url)) || hosts.some((entry) => matchesHost(url, entry));
}

/** Whether it has a name of the public kind and the usual port. Other names of YouTube's videos lead to YouTube. */
function isPublicName({ hostname, port }: URL): boolean {
  const labels = hostname.split(".");
  const isName = labels.length > 1 && !labels.includes("") && /^[a-z]/.test(labels.at(-1) ?? "");
  return isName && port === "" && !showsVideosOfYouTube(hostname);
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
