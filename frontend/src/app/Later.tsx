/** What every page has, but not in its first scripts: tooltips, and help with downloads. */
import { downloadNotes } from "../client/download-notes.ts";
import { rowNote } from "../client/row-note.ts";
import { jobs } from "../client/stores.ts";
import { storage } from "../platform/runtime.ts";
import { savingAppOf } from "../platform/saving-app.ts";
import { clickDownload } from "../ready/auto-download.ts";
import { claimOnce } from "../ready/claim.ts";
import { watchDownloads } from "../ready/watch-downloads.ts";

export { Tips } from "../components/Tips.tsx";

/** Few browsers need help. */
async function showNotes(): Promise<void> {
  try {
    const { DownloadNote } = await import("../features/queue/DownloadNote.tsx");
    rowNote.setState({ Note: DownloadNote });
  } catch (error) {
    // Without a network there is no file to download either.
    if (!(error instanceof TypeError)) throw error;
  }
}

downloadNotes.subscribe(({ app, waiting }) => {
  if ((app || waiting.size > 0) && !rowNote.getState().Note) void showNotes();
});

watchDownloads({
  jobs,
  notes: downloadNotes,
  app: savingAppOf(navigator),
  sharer: {
    fetch: (...request) => fetch(...request),
    canShare: navigator.canShare?.bind(navigator),
    share: navigator.share?.bind(navigator),
  },
  download: (id, url) => void claimOnce(id, storage).then((isFirst) => isFirst && clickDownload(url)),
});
