/** Downloads the file of a job by itself when it is ready, for visitors who have switched that on. */
import { jobsById } from "../stores/jobs.ts";
import type { JobsStore } from "../stores/jobs.ts";

export interface AutoDownloadParts {
  readonly jobs: JobsStore;
  /** Ids of the jobs whose requests were answered on this page. Other windows may have the same ones, see `claim`. */
  readonly started: ReadonlySet<string>;
  readonly isOn: () => boolean;
  /** Resolves to false when another window of the browser has claimed the job. */
  readonly claim: (id: string) => Promise<boolean>;
  readonly download: (url: string) => void;
}

/**
 * Follows the started jobs. A file that was ready while the switch was off is not downloaded later. Jobs of a batch are
 * left out: browsers refuse several downloads at once, and a batch has its archive.
 */
export function downloadByItself({ jobs, started, isOn, claim, download }: AutoDownloadParts): void {
  const handled = new Set<string>();

  async function downloadOnce(id: string, url: string): Promise<void> {
    if (await claim(id)) download(url);
  }

  jobs.subscribe((state) => {
    for (const id of started) {
      const job = handled.has(id) ? undefined : jobsById(state).get(id);
      if (job?.status !== "completed" || job.downloadUrl === undefined) continue;
      handled.add(id);
      if (isOn() && job.batchId === undefined) void downloadOnce(id, job.downloadUrl);
    }
  });
}

/** Starts a download as a click on its link does. */
export function clickDownload(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}
