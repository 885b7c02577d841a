/** What every page has, but not in its first scripts: tooltips, and help with downloads. */
import { downloadNotes } from "../client/download-notes.ts";
import { rowNote } from "../client/row-note.ts";
import { jobs } from "../client/stores.ts";
import { storage } from "../platform/runtime.ts";
import { savingAppOf } from "../platform/saving-app.ts";
import { clickDownload } from "../ready/auto-download.ts";
import { claimOnce } from "../ready/claim.ts";
import { sharerOf } from "../ready/share-file.ts";
import { watchDownloads } from "../ready/watch-downloads.ts";
import { filesToShow } from "../stores/jobs.ts";

export { Tips } from "../components/Tips.tsx";

/** Rows have nothing to show before there are files. */
async function showAdditions(): Promise<void> {
  try {
    const { RowAdditions } = await import("../features/queue/RowAdditions.tsx");
    rowNote.setState({ Note: RowAdditions });
  } catch (error) {
    // Without a network there is no file to download either.
    if (!(error instanceof TypeError)) throw error;
  }
}

function showWhenNeeded(): void {
  if (filesToShow(jobs.getState()).length === 0) return;
  stop();
  void showAdditions();
}
const stop = jobs.subscribe(showWhenNeeded);
showWhenNeeded();

watchDownloads({
  jobs,
  notes: downloadNotes,
  app: savingAppOf(navigator),
  sharer: sharerOf(window),
  download: (id, url) => void claimOnce(id, storage).then((isFirst) => isFirst && clickDownload(url)),
});
