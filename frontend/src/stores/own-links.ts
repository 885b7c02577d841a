/** The links of jobs that were started in a tab, or in a browser. The server never sends a link back. */
import { z } from "zod";
import { parseJson } from "../../../common/parse-json.ts";
import type { TextStorage } from "../platform/text-storage.ts";

const KEY = "tapedeck.own-links";
/** Limits the storage; the links of older jobs are forgotten. */
const MAX_LINKS = 50;

const Stored = z.array(z.tuple([z.string(), z.string()]));

export interface OwnLinks {
  add(jobId: string, link: string): void;
  /** @returns undefined for a job that was started elsewhere */
  of(jobId: string): string | undefined;
  /** Must be called when the jobs are not the visitor's any more. */
  forget(): void;
}

/** @param storage of the tab or of the browser, so that a reload keeps the links; other tabs may write to it too */
export function createOwnLinks(storage: TextStorage): OwnLinks {
  // For browsers that refuse storage.
  const added = new Map<string, string>();
  const readStored = () => new Map(Stored.safeParse(parseJson(storage.getItem(KEY) ?? "")).data);
  return {
    add(jobId, link) {
      added.set(jobId, link);
      storage.setItem(KEY, JSON.stringify([...readStored().set(jobId, link)].slice(-MAX_LINKS)));
    },
    of: (jobId) => added.get(jobId) ?? readStored().get(jobId),
    forget() {
      added.clear();
      storage.removeItem(KEY);
    },
  };
}
