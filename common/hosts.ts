/**
 * The operator's list of video hosts, as `VIDEO_HOSTS` writes it: `youtube.com,youtu.be,localhost:8090`.
 * The link policy accepts links by it, the egress guard opens private addresses by it, and the
 * client's quick check reads it too.
 */

export interface HostEntry {
  /** Lower case, without the brackets of an IPv6 address. */
  readonly host: string;
  /** Absent: the scheme's own port. */
  readonly port?: number;
}

/**
 * @throws RangeError naming the entry that is not a host with perhaps a port.
 */
export function parseHostEntry(text: string): HostEntry {
  const entry = text.trim().toLowerCase();
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?))(?::(\d{1,5}))?$/.exec(entry);
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? undefined : Number(match[3]);
  if (host === undefined || (port !== undefined && (port < 1 || port > 65_535)))
    throw new RangeError(`"${text}" is not a host such as youtube.com or localhost:8090`);
  return port === undefined ? { host } : { host, port };
}

/** Comma-separated entries; empty ones are ignored. Throws as {@link parseHostEntry} does. */
export function parseHostList(text: string): HostEntry[] {
  return text
    .split(",")
    .filter((entry) => entry.trim() !== "")
    .map(parseHostEntry);
}

/** The entry as people and links write it. */
export function formatHostEntry(entry: HostEntry): string {
  const host = entry.host.includes(":") ? `[${entry.host}]` : entry.host;
  return entry.port === undefined ? host : `${host}:${entry.port}`;
}
