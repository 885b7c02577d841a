/**
 * What the page does beside showing the jobs: it announces them, notifies, shows a toast, plays a tone, downloads by
 * itself, and stores removals.
 */
import type { AnnouncerState } from "../stores/announcer.ts";
import type { JobsStore } from "../stores/jobs.ts";
import type { FinishedStore } from "../stores/finished.ts";
import type { NotificationsStore } from "../stores/notifications.ts";
import { browser, isLooking, page } from "../platform/runtime.ts";
import type { TextStorage } from "../platform/text-storage.ts";
import type { RemovalsStore } from "../stores/removals.ts";
import { storeRemovals } from "../stores/stored-removals.ts";
import type { StoredSwitch } from "../stores/stored-switch.ts";
import { announceJobs } from "./announce-jobs.ts";
import { clickDownload, downloadByItself } from "./auto-download.ts";
import { claimOnce } from "./claim.ts";
import { isRowInView } from "../platform/job-place.ts";
import { showFinished } from "./finished-title.ts";
import { holdUntilOwn } from "./held-ends.ts";
import { notifyInBackground, showNotification } from "./notify-in-background.ts";
import { followQueue } from "./queue-changes.ts";
import type { QueueChange } from "./queue-changes.ts";
import { showReadyToast } from "./ready-toast.ts";
import type { ReadyToastParts } from "./ready-toast.ts";
import { playTone } from "./tone.ts";

export interface FollowParts {
  readonly jobs: JobsStore;
  readonly announce: AnnouncerState["announce"];
  /** Ids of the jobs that were started on this page. */
  readonly started: ReadonlySet<string>;
  readonly finished: FinishedStore;
  readonly notifications: NotificationsStore;
  readonly toneSwitch: StoredSwitch;
  readonly autoDownloadSwitch: StoredSwitch;
  /** Shared by all windows. */
  readonly storage: TextStorage;
  readonly removals: RemovalsStore;
  /** Removes a job at the server. */
  readonly remove: (id: string) => Promise<void>;
  /** Whether this tab has started a job, also before a reload. */
  readonly isOwn: ReadyToastParts["isOwn"];
  /** Shows a toast. */
  readonly showReady: ReadyToastParts["show"];
}

/** Follows the jobs from now on; called once. */
export function followJobs(parts: FollowParts): void {
  const { jobs, announce, started, finished, notifications, toneSwitch, autoDownloadSwitch, storage, removals } = parts;
  const isInBackground = () => page.visibilityState === "hidden";
  const { isOwn } = parts;
  const playToneWhenReady = ({ ended }: Pick<QueueChange, "ended">): void => {
    const isReady = ended.some((end) => end.jobs.some(({ id, status }) => started.has(id) && status === "completed"));
    if (isReady && toneSwitch.getState().isOn) playTone();
  };
  followQueue(jobs, [
    announceJobs(announce),
    showFinished({ finished, isLooking, browser, page }),
    notifyInBackground({ notifications, isInBackground, show: showNotification }),
    holdUntilOwn({ jobs, isOwn, handle: showReadyToast({ isOwn, isInView: isRowInView, show: parts.showReady }) }),
    holdUntilOwn({ jobs, isOwn: (id) => started.has(id), handle: playToneWhenReady }),
  ]);
  storeRemovals({ jobs, removals, storage, send: parts.remove });
  downloadByItself({
    jobs,
    started,
    isOn: () => autoDownloadSwitch.getState().isOn,
    claim: (id) => claimOnce(id, storage),
    download: clickDownload,
  });
}
