/** Joins the parts of the client: what a change of one store does to the others. */
import { createJobsMemory, shrinkOpening } from "../platform/opening.ts";
import { browser, storage } from "../platform/runtime.ts";
import { noteDownloads } from "../stores/downloaded.ts";
import { jobsToShow } from "../stores/jobs.ts";
import { batch, converter, preview } from "./converter.ts";
import { forgetLinks } from "./job-links.ts";
import { removals } from "./removals.ts";
import { choices, connection, currentJob, device, downloaded, jobs, user } from "./stores.ts";
import { toasts } from "./toaster.ts";

/** Called once, before the page is rendered. */
export function connectStores(): void {
  followConverter();
  followBatch();
  previewLink();
  noteDownloads(downloaded, browser);
  const rememberJobs = createJobsMemory(storage);
  jobs.subscribe((state) => state.phase === "ready" && rememberJobs(jobsToShow(state).length > 0));
  user.subscribe((now, before) => {
    if (before.phase === "signed-in" && now.user?.id !== before.user?.id) forgetLinks();
  });
  toasts.subscribe(({ toasts: [newest] }) => removals.getState().cover(newest?.isOpen === true));
  browser.addEventListener("pagehide", () => removals.getState().sendAll());
}

function followConverter(): void {
  converter.subscribe((now, before) => {
    if (now.link.trim() !== before.link.trim()) choices.getState().clear();
    if (now.link !== before.link && now.link !== "") currentJob.getState().release();
    if (now.isPending && !before.isPending) {
      shrinkOpening();
      currentJob.getState().expect(jobs.getState().table.keys());
    }
    if (!now.isPending && before.isPending) currentJob.getState().expectNone();
  });
}

function followBatch(): void {
  batch.subscribe((now, before) => {
    if (now.isChosen && !before.isChosen) currentJob.getState().release();
    // They were about the video in the other form, or about the links that have been sent.
    const isEmptied = now.text.trim() === "" && before.text.trim() !== "";
    if (now.isChosen !== before.isChosen || isEmptied) {
      choices.getState().clear();
      converter.getState().forgetFormat();
    }
    if (now.isPending && !before.isPending) shrinkOpening();
  });
}

/** Shows the preview of the link in the field. */
function previewLink(): void {
  const followLink = () => preview.getState().follow(converter.getState().link, choices.getState().choices?.part);
  converter.subscribe(followLink);
  choices.subscribe(followLink);
  // Hosts and tier may arrive after a link that was shared to the page.
  device.subscribe(followLink);
  connection.subscribe((now, before) => {
    const { view, retry } = preview.getState();
    if (before.indicator === "offline" && now.indicator !== "offline" && view.phase === "failed" && !view.error)
      retry();
  });
}
