/** Which player clients yt-dlp is asked to use, one attempt after the other. */
import type { Pipeline } from "../pipeline.ts";

/** The clients of one yt-dlp. */
export interface KnownClients {
  readonly names: readonly string[];
  /** What `default` stands for. */
  readonly defaults: readonly string[];
}

export interface ClientChoice {
  /** As it stands in the client order. */
  readonly client: string;
  /** Value of yt-dlp's `player_client`. */
  readonly asks: string;
}

const ALL = "all";
const DEFAULT = "default";

/** @returns undefined when the yt-dlp of the pipeline does not name them */
export function knownClients({
  extractorHost,
  tools,
}: Pick<Pipeline, "extractorHost" | "tools">): KnownClients | undefined {
  const clients = extractorHost?.clients;
  if (!clients) return undefined;
  const { names, defaults, defaultsWithoutScripts } = clients;
  return { names, defaults: tools.denoPath === undefined ? defaultsWithoutScripts : defaults };
}

function namesIn(client: string): readonly string[] {
  return client.split(",").map((name) => name.replace(/^-/, ""));
}

/**
 * @param names of the clients of a yt-dlp
 * @returns the names in the order that it does not know; it would ask its own clients in their place
 */
export function unknownClients(order: readonly string[], names: readonly string[]): readonly string[] {
  const given = new Set(order.flatMap(namesIn));
  return [...given].filter((name) => name !== ALL && name !== DEFAULT && !names.includes(name));
}

/**
 * Leaves out clients that yt-dlp does not know, and those that an earlier choice asks: they would only be refused again.
 * @param order names of clients, separated by commas within a choice; see `YouTubeAccess`
 * @param known undefined: nothing is left out
 * @returns never empty
 */
export function clientsToAsk(order: readonly string[], known: KnownClients | undefined): readonly ClientChoice[] {
  if (!known) return order.map((client) => ({ client, asks: client }));
  const unknown = new Set(unknownClients(order, known.names));
  const asked = new Set<string>();
  const choices = order.flatMap((client) => {
    const parts = client.split(",").filter((part) => !unknown.has(part.replace(/^-/, "")) && !asked.has(part));
    const excluded = new Set(parts.filter((part) => part.startsWith("-")).map((part) => part.slice(1)));
    const wanted = parts.flatMap((part) => meaningOf(part, known)).filter((name) => !excluded.has(name));
    if (wanted.every((name) => asked.has(name))) return [];
    const repeated = wanted.filter((name) => asked.has(name)).map((name) => `-${name}`);
    for (const name of wanted) asked.add(name);
    return [{ client, asks: [...parts, ...repeated].join(",") }];
  });
  return choices.length > 0 ? choices : [{ client: DEFAULT, asks: DEFAULT }];
}

function meaningOf(part: string, { names, defaults }: KnownClients): readonly string[] {
  if (part.startsWith("-")) return [];
  if (part === DEFAULT) return defaults;
  return part === ALL ? names : [part];
}
