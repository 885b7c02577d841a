/** The reader of text-reader.ts; whatever imports this file has it at once. */
import { DEFAULT_VIDEO_HOSTS, parseHostList } from "../../../common/hosts.ts";
import { hostRule } from "../../../common/links/host-rule.ts";
import type { Reading } from "../../../common/links/link.ts";
import { readLinks } from "../../../common/links/read-links.ts";
import { setReader, type FoundText, type VideoHosts } from "./text-reader.ts";

function read(text: string, videoHosts: VideoHosts): FoundText {
  const accepts = videoHosts ? hostRule(parseHostList([DEFAULT_VIDEO_HOSTS, ...videoHosts].join())) : () => true;
  const reading = readLinks(text, accepts);
  const [first] = reading.links;
  const links = linksToShow(reading);
  const trimmed = text.trim();
  // With one link per line the other lines stay; the user sees them rejected when the batch starts.
  const isOnePerLine =
    trimmed.split("\n").filter((line) => linksToShow(readLinks(line, accepts)).length > 0).length === links.length;
  return {
    links,
    lines: isOnePerLine ? trimmed : links.join("\n"),
    other: reading.refusals[0]?.text ?? (/^\S+$/.test(trimmed) ? trimmed : null),
    // While a host is typed, nothing is wrong with it yet.
    previewed: first?.text ?? links.find((address) => /\/\/[^/]+\/./.test(address)) ?? null,
    count: reading.links.length,
    isForeign: links.length === 0 && reading.refusals.some(({ code }) => code === "unsupported_host"),
    namesList: typeof first?.list === "string",
  };
}

/** Those that are refused with a reason of their own, if there are no others. */
function linksToShow({ links, refusals }: Reading): string[] {
  if (links.length > 0) return links.map((link) => link.text);
  return [...new Set(refusals.filter(({ reason }) => reason !== undefined).map((refused) => refused.text))];
}

setReader(read);
