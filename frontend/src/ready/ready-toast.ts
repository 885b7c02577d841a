/** Tells the eye that a file is ready where its row is out of view: scrolled away, or on another page. */
import type { Job } from "../../../common/job.ts";
import type { NoticeDownload, Notify } from "../stores/notice.ts";
import { archiveUrlOf } from "../stores/queue-items.ts";
import { currentTexts } from "../texts/store.ts";
import { nameOf, outcomeOf } from "./ended-words.ts";
import type { Ended, QueueChange } from "./queue-changes.ts";

export interface ReadyToastParts {
  /** Whether this tab has started a job: other tabs and devices show their own. */
  readonly isOwn: (jobId: string) => boolean;
  /** @param id of a job or a batch */
  readonly isInView: (id: string) => boolean;
  readonly show: Notify;
}

const fileOf = (job: Job | undefined) => (job?.status === "completed" ? job.downloadUrl : undefined);

function downloadOf({ id, jobs }: Ended): NoticeDownload | undefined {
  const { job: texts, batch } = currentTexts();
  const isBatch = jobs[0]?.batchId !== undefined;
  const url = isBatch && jobs.some(fileOf) ? archiveUrlOf(id) : fileOf(jobs[0]);
  if (url === undefined) return undefined;
  return { url, label: texts.download, name: isBatch ? batch.downloadAll : texts.downloadOf(nameOf(jobs)) };
}

/** @returns a handler of the queue's changes */
export function showReadyToast({ isOwn, isInView, show }: ReadyToastParts) {
  return ({ ended }: Pick<QueueChange, "ended">): void => {
    for (const end of ended) {
      const download = downloadOf(end);
      if (!download || !end.jobs.some(({ id }) => isOwn(id)) || isInView(end.id)) continue;
      const isBatch = end.jobs[0]?.batchId !== undefined;
      const description = isBatch ? `${nameOf(end.jobs)}: ${outcomeOf(end.jobs)}` : nameOf(end.jobs);
      show({ kind: "success", title: currentTexts().job.ready, description, download });
    }
  };
}
