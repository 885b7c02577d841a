/** Looks at followed lists, one after the other. */
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { ConversionError } from "../../common/errors.ts";
import { isYouTubeLink } from "../../common/hosts.ts";
import type { Domain } from "../domain/domain.ts";
import { every } from "../domain/every.ts";
import { lookAtNext } from "../domain/follows/looks.ts";
import type { FollowedLists } from "../domain/follows/read-followed.ts";
import type { Lists } from "../domain/jobs/lists.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { readList } from "../pipeline/probe/list-extraction.ts";
import { openJobFolder } from "../pipeline/process/job-folder.ts";
import type { Worker } from "./worker.ts";

/** @returns the lists as their sites have them now; no visitor waits for these reads, so they share nothing with others */
export function readLists(pipeline: Pipeline, scratchFolder: string): Pick<Lists, "read"> {
  return {
    async read(link, most, signal) {
      await using folder = await openJobFolder(scratchFolder, `follow-${randomUUID()}`);
      return await readList({ pipeline, signal }, { link, folder: folder.path, most });
    },
  };
}

/** @returns the lists for looks: visitors' previews and jobs go before them */
export function listsAfterVisitors(lists: Pick<Lists, "read">, { youtube }: Pipeline): FollowedLists {
  return {
    async read(link, most, signal) {
      if (isYouTubeLink(link) && youtube?.exits.hasSpare === false) return null;
      try {
        return await lists.read(link, most, signal);
      } catch (error) {
        if (error instanceof ConversionError && error.code === "busy") return null;
        throw error;
      }
    },
  };
}

/** @param pollMs interval between checks for lists that are due */
export function startFollowWorker(domain: Domain, lists: FollowedLists, pollMs: number, log: Logger): Worker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const lookAtAll = async (): Promise<void> => {
    while (!signal.aborted && (await lookAtNext(domain, { lists, signal })));
  };
  const looking = every(pollMs, lookAtAll, (error) => {
    if (!signal.aborted) log.error({ error }, "a look at a followed list failed");
  });
  return {
    async stop() {
      stopping.abort();
      await looking.stop();
    },
  };
}
