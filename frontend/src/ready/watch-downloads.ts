/** Follows the clicks on links to files, for browsers that need help with them. */
import type { SavingApp } from "../platform/saving-app.ts";
import type { DownloadNotesStore } from "../stores/download-notes.ts";
import type { JobsStore } from "../stores/jobs.ts";
import { limitEarlyDownloads } from "./early-downloads.ts";
import { createFileSharing } from "./share-file.ts";
import type { Sharer } from "./share-file.ts";

export interface WatchParts {
  readonly jobs: JobsStore;
  readonly notes: DownloadNotesStore;
  readonly app: SavingApp | null;
  readonly sharer: Sharer;
  /** Starts the download of a finished file, unless it has started by itself. */
  readonly download: (jobId: string, url: string) => void;
}

/** @returns a function that stops it */
export function watchDownloads({ jobs, notes, app, sharer, download }: WatchParts): () => void {
  if (app) notes.setState({ app });
  const mayStart = limitEarlyDownloads(jobs, notes, download);
  const shareFile = createFileSharing(notes, sharer);
  const isShared = app?.kind === "installed";
  // Dashboards open their files in a new tab.
  const links = 'a[download], a[target=_blank][href^="/api/conversions/"]';

  function onClick(event: MouseEvent): void {
    const link = event.target instanceof Element && event.target.closest(links);
    const url = link && link.getAttribute("href");
    if (!url || event.defaultPrevented) return;
    if (!isShared && mayStart(url)) return;
    event.preventDefault();
    if (isShared) void shareFile(url);
  }
  document.addEventListener("click", onClick);
  return () => document.removeEventListener("click", onClick);
}
