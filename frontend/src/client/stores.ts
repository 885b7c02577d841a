/** The client's stores that need no other store, with their hooks, and its API. */
import { createApi } from "../api/api.ts";
import { isOnline, session, storage, viewer } from "../platform/runtime.ts";
import { createChoicesStore } from "../stores/choices.ts";
import { createConnectionStore } from "../stores/connection.ts";
import { createCurrentJobStore } from "../stores/current-job.ts";
import { createDeviceStore } from "../stores/device.ts";
import { createDownloadedStore } from "../stores/downloaded.ts";
import { createFinishedStore } from "../stores/finished.ts";
import { createJobsStore } from "../stores/jobs.ts";
import { createNotificationsStore } from "../stores/notifications.ts";
import { createOwnLinks } from "../stores/own-links.ts";
import { createPreviewedJobsStore } from "../stores/previewed-jobs.ts";
import { createSiteStatusStore } from "../stores/site-status.ts";
import { createStoredSwitch } from "../stores/stored-switch.ts";
import { createUserStore } from "../stores/user.ts";
import type { Tier } from "../../../common/tiers.ts";
import { hookOf } from "./store-hook.ts";

export const api = createApi();

export const jobs = createJobsStore();
export const device = createDeviceStore(viewer);
export const user = createUserStore();
export const connection = createConnectionStore(isOnline());
export const sites = createSiteStatusStore();
export const choices = createChoicesStore();
export const previewed = createPreviewedJobsStore();
export const currentJob = createCurrentJobStore({ session });
export const downloaded = createDownloadedStore();
export const finished = createFinishedStore();
export const ownLinks = createOwnLinks(session);
export const notifications = createNotificationsStore({
  permissions: typeof Notification === "undefined" ? undefined : Notification,
  storage,
});
export const toneSwitch = createStoredSwitch("tapedeck.tone", storage);
export const autoDownloadSwitch = createStoredSwitch("tapedeck.auto-download", storage);

export const currentTier = (): Tier => device.getState().tier;
export const videoHosts = (): readonly string[] => device.getState().config?.videoHosts ?? [];
/** @returns null when nobody is signed in, undefined while that is not known */
export const viewerId = (): string | null | undefined => {
  const { phase, user: person } = user.getState();
  return phase === "loading" ? undefined : (person?.id ?? null);
};

export const useJobs = hookOf(jobs);
export const useDevice = hookOf(device);
export const useUser = hookOf(user);
export const useConnection = hookOf(connection);
export const useSiteStatus = hookOf(sites);
export const useChoices = hookOf(choices);
export const usePreviewedJobs = hookOf(previewed);
export const useCurrentJob = hookOf(currentJob);
const useDownloaded = hookOf(downloaded);
/** @param url of a file; undefined without one */
export const useIsDownloaded = (url: string | undefined): boolean =>
  useDownloaded(({ urls }) => url !== undefined && urls.has(url));
/** @returns the paths of the files that the visitor has downloaded on this page */
export const useDownloadedUrls = (): ReadonlySet<string> => useDownloaded(({ urls }) => urls);
export const useFinished = hookOf(finished);
