import type { Job } from "../../../../common/job.ts";
import type { JobsStore } from "../../stores/jobs.ts";
import { jobsToShow } from "../../stores/jobs.ts";
import type { NotificationsStore } from "../../stores/notifications.ts";
import { currentFormats, currentTexts, sentenceOf } from "../../texts/store.ts";
import { endedBetween } from "./ended.ts";
import type { Ended } from "./ended.ts";

export interface BackgroundParts {
  readonly jobs: JobsStore;
  readonly notifications: NotificationsStore;
  readonly isInBackground: () => boolean;
  readonly show: (notification: {
    readonly tag: string;
    readonly title: string;
    readonly body: string;
  }) => Promise<void>;
}

const count = (jobs: readonly Job[], status: Job["status"]) => jobs.filter((job) => job.status === status).length;

function textsOf(ended: Ended): { title: string; body: string } {
  const { batch: texts, queue } = currentTexts();
  if ("batch" in ended) {
    const done = count(ended.batch, "completed");
    const failed = count(ended.batch, "failed");
    const counts = [done > 0 ? texts.done(done) : "", failed > 0 ? texts.failed(failed) : ""];
    return { title: texts.name(ended.batch.length), body: currentFormats().list(counts.filter(Boolean)) };
  }
  const { job } = ended;
  const body =
    job.status === "failed" ? queue.announce.failed(job.title, sentenceOf(job.error)) : queue.announce.ready(job.title);
  return { title: "Tapedeck", body };
}

/**
 * Notifies the user of ended conversions while the page is in the background.
 * @returns a function that ends the notifications
 */
export function notifyInBackground({ jobs, notifications, isInBackground, show }: BackgroundParts): () => void {
  let previousJobs = jobsToShow(jobs.getState());
  return jobs.subscribe((state) => {
    const now = jobsToShow(state);
    if (now === previousJobs) return;
    const ended = endedBetween(previousJobs, now);
    previousJobs = now;
    if (notifications.getState().choice !== "on" || !isInBackground()) return;
    for (const end of ended) void show({ tag: end.id, ...textsOf(end) });
  });
}

/**
 * Shows a notification through the service worker if there is one, because phones require it.
 * Notifications of several tabs with the same tag are shown once.
 */
export async function showNotification({
  tag,
  title,
  body,
}: {
  readonly tag: string;
  readonly title: string;
  readonly body: string;
}): Promise<void> {
  const options = { tag, body, icon: "/icon-192.png" };
  const registration = "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
  if (registration?.active) return registration.showNotification(title, options);
  const notification = new Notification(title, options);
  notification.addEventListener("click", () => {
    window.focus();
    notification.close();
  });
}
