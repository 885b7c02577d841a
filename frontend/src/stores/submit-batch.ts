/** Sends the lines of the batch form. Few visitors have one, so this is not part of the first scripts. */
import type { StoreApi } from "zustand/vanilla";
import type { RefusedLine } from "../../../common/api.ts";
import { WaitsForNetwork } from "../outbox/errors.ts";
import { currentTexts, NO_MESSAGE } from "../texts/store.ts";
import { MAX_BATCH_LINKS, type BatchParts, type BatchState } from "./batch.ts";
import { failureNotice, keptNotice, linkProblem, problemOf } from "./converter.ts";
// Its lines are read while they are typed.
import "./read-text.ts";
import { readNow } from "./text-reader.ts";

/** A non-empty line; `line` is its number in the text, from 1. */
export interface Line {
  readonly line: number;
  readonly url: string;
}

const linesOf = (text: string): Line[] =>
  text
    .split(/\r?\n/)
    .map((raw, index): Line => ({ line: index + 1, url: raw.trim() }))
    .filter(({ url }) => url !== "");

/** @returns how many links would be converted, if none stands in two lines */
export function countLinks(text: string, videoHosts: readonly string[]): number {
  return linesOf(text).reduce((sum, { url }) => sum + (readNow(url, videoHosts)?.count ?? 0), 0);
}

/** Splits the trimmed, non-empty lines of a text into possible links and all others. */
export function findLinks(text: string, videoHosts: readonly string[]): { links: Line[]; others: Line[] } {
  const links: Line[] = [];
  const others: Line[] = [];
  for (const line of linesOf(text)) (linkProblem(line.url, videoHosts) === null ? links : others).push(line);
  return { links, others };
}

/** Resolves when the request has succeeded or failed. */
export async function submitBatch(
  { createBatch, onCreated, notify, videoHosts, format, choices }: BatchParts,
  { get, set }: { readonly get: StoreApi<BatchState>["getState"]; readonly set: StoreApi<BatchState>["setState"] },
): Promise<void> {
  if (get().isPending) return;
  const { text } = get();
  const { links, others } = findLinks(text, videoHosts());
  const count = Math.max(links.length, countLinks(text, videoHosts()));
  const { notices, problems } = currentTexts().converter;
  const problem = links.length === 0 ? "noLinks" : count > MAX_BATCH_LINKS ? "tooMany" : null;
  set({ problem, refused: [] });
  if (problem !== null) {
    const description = problem === "noLinks" ? problems.noLinks : problems.tooMany(MAX_BATCH_LINKS);
    return notify({ kind: "error", title: notices[problem], description });
  }
  set({ isPending: true });
  try {
    const wanted = { format: format(), choices: choices(format()) };
    const answer = await createBatch({ urls: links.map(({ url }) => url), ...wanted });
    onCreated(answer.jobs);
    set({ text: "", refused: refusedLines(links, others, answer.refused, videoHosts()) });
    const { title, description } = notices.batchStarted;
    notify({ kind: "success", title, description: description(answer.jobs.length) });
  } catch (error) {
    if (error instanceof WaitsForNetwork) {
      set({ text: "", refused: refusedLines(links, others, [], videoHosts()) });
      return notify(keptNotice());
    }
    set({ problem: problemOf(error) });
    notify(failureNotice(error, notices.batchFailed));
  } finally {
    set({ isPending: false });
  }
}

/** @returns rejected and unsent lines with the line numbers of the field; the server numbers only the sent ones */
function refusedLines(
  sent: readonly Line[],
  unsent: readonly Line[],
  refused: readonly RefusedLine[],
  videoHosts: readonly string[],
): RefusedLine[] {
  return [
    ...refused.map((refusal) => ({ ...refusal, line: sent[refusal.line - 1]?.line ?? refusal.line })),
    ...unsent.map(({ line, url }): RefusedLine => {
      const code = readNow(url, videoHosts)?.isForeign ? "unsupported_host" : "invalid_link";
      return { line, url, code, message: NO_MESSAGE };
    }),
  ].sort((a, b) => a.line - b.line);
}
