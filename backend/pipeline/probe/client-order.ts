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

/** @returns the order with the choices that fail at its end */
export function failingLast(order: readonly string[], failing: ReadonlySet<string>): readonly string[] {
  return [...order.filter((client) => !failing.has(client)), ...order.filter((client) => failing.has(client))];
}

/**
 * Leaves out clients that yt-dlp does not know, and those that an earlier choice asks: they would only be refused again.
 * @param order names of clients, separated by commas within a choice; see `YouTubeAccess`
 * @param known undefined: nothing is left out
 * @param failing choices of the order that are asked last; `default` does not ask them before that
 * @returns never empty
 */
export function clientsToAsk(
  order: readonly string[],
  known: KnownClients | undefined,
  failing: ReadonlySet<string> = new Set(),
): readonly ClientChoice[] {
  const sorted = failingLast(order, failing);
  if (!known) return sorted.map((client) => ({ client, asks: client }));
  const askedLater = new Set(order.filter((client) => failing.has(client)).flatMap((client) => client.split(",")));
  const unknown = new Set(unknownClients(order, known.names));
  const asked = new Set<string>();
  const choices = sorted.flatMap((client) => {
    const parts = client.split(",").filter((part) => !unknown.has(part.replace(/^-/, "")) && !asked.has(part));
    const excluded = new Set(parts.filter((part) => part.startsWith("-")).map((part) => part.slice(1)));
    const wanted = parts.flatMap((part) => meaningOf(part, known)).filter((name) => !excluded.has(name));
    const isLeftOut = (name: string): boolean => asked.has(name) || (askedLater.has(name) && !parts.includes(name));
    if (wanted.every(isLeftOut)) return [];
    const leftOut = wanted.filter(isLeftOut).map((name) => `-${name}`);
    for (const name of wanted) if (!isLeftOut(name)) asked.add(name);
    return [{ client, asks: [...parts, ...leftOut].join(",") }];
  });
  return choices.length > 0 ? choices : [{ client: DEFAULT, asks: DEFAULT }];
}

function meaningOf(part: string, { names, defaults }: KnownClients): readonly string[] {
  if (part.startsWith("-")) return [];
  if (part === DEFAULT) return defaults;
  return part === ALL ? names : [part];
}
