/** Limits the downloads of files that are still made, so that calls of the page find a connection. */
import { isActive } from "../../../common/job.ts";
import type { DownloadNotesStore } from "../stores/download-notes.ts";
import { jobsById } from "../stores/jobs.ts";
import type { JobsStore } from "../stores/jobs.ts";

/**
 * Browsers open six connections to a site in HTTP/1.1, and such a download keeps one until its job ends. Three remain for
 * events and calls. A page is not told when a browser's download ends, so one that was canceled there counts too.
 */
export const MAX_EARLY_DOWNLOADS = 3;

/**
 * @param download starts a download
 * @returns handler of a click on Download: whether the download may start; if not, it starts when the file is finished
 */
export function limitEarlyDownloads(
  jobs: JobsStore,
  notes: DownloadNotesStore,
  download: (jobId: string, url: string) => void,
): (url: string) => boolean {
  /** Ids of the jobs; a second press is a second download. */
  let running: string[] = [];
  /** Ids of the jobs of files that are waited for: a job that starts over has no file for a while. */
  const waitedFor = new Map<string, string>();

  const jobOf = (url: string) => [...jobsById(jobs.getState()).values()].find((job) => fileOf(job) === url);
  const isProcessing = (id: string) => jobsById(jobs.getState()).get(id)?.status === "processing";

  jobs.subscribe(() => {
    for (const [url, id] of waitedFor) {
      const job = jobsById(jobs.getState()).get(id);
      if (job && isActive(job.status)) continue;
      waitedFor.delete(url);
      notes.setState({ waiting: new Set(waitedFor.keys()) });
      if (job?.status === "completed" && job.downloadUrl !== undefined) download(id, job.downloadUrl);
    }
  });

  return (url) => {
    const job = jobOf(url);
    if (job?.status !== "processing") return true;
    running = running.filter(isProcessing);
    if (running.length < MAX_EARLY_DOWNLOADS) {
      running.push(job.id);
      return true;
    }
    waitedFor.set(url, job.id);
    notes.setState({ waiting: new Set(waitedFor.keys()) });
    return false;
  };
}

const fileOf = (job: object): unknown => ("downloadUrl" in job ? job.downloadUrl : undefined);
