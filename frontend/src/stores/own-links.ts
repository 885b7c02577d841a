/** The links of the jobs that this tab has started. The server never sends a link back. */
import { z } from "zod";
import { parseJson } from "../platform/parse-json.ts";
import type { session } from "../platform/runtime.ts";

const KEY = "tapedeck.own-links";
/** Limits the storage; the links of older jobs are forgotten. */
const MAX_LINKS = 50;

const Stored = z.array(z.tuple([z.string(), z.string()]));

export interface OwnLinks {
  add(jobId: string, link: string): void;
  /** @returns undefined for a job of another tab or an earlier visit */
  of(jobId: string): string | undefined;
}

/** @param storage of the tab, so that a reload keeps the links */
export function createOwnLinks(storage: Pick<typeof session, "getItem" | "setItem">): OwnLinks {
  const links = new Map(Stored.safeParse(parseJson(storage.getItem(KEY) ?? "")).data);
  return {
    add(jobId, link) {
      links.set(jobId, link);
      storage.setItem(KEY, JSON.stringify([...links].slice(-MAX_LINKS)));
    },
    of: (jobId) => links.get(jobId),
  };
}
