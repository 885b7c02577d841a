import type { Job } from "../../../common/job.ts";
import type { NotificationsStore } from "../stores/notifications.ts";
import { currentFormats, currentTexts, sentenceOf } from "../texts/store.ts";
import type { Ended, QueueChange } from "./queue-changes.ts";

export interface BackgroundParts {
  readonly notifications: NotificationsStore;
  readonly isInBackground: () => boolean;
  readonly show: (notification: {
    readonly tag: string;
    readonly title: string;
    readonly body: string;
  }) => Promise<void>;
}

const count = (jobs: readonly Job[], status: Job["status"]) => jobs.filter((job) => job.status === status).length;

function textsOf({ jobs }: Ended): { title: string; body: string } {
  const { batch: texts, queue } = currentTexts();
  const [job] = jobs;
  if (job?.batchId !== undefined) {
    const done = count(jobs, "completed");
    const failed = count(jobs, "failed");
    const counts = [done > 0 ? texts.done(done) : "", failed > 0 ? texts.failed(failed) : ""];
    return { title: job.batchTitle ?? texts.name(jobs.length), body: currentFormats().list(counts.filter(Boolean)) };
  }
  const name = job?.title ?? "";
  const body =
    job?.status === "failed" ? queue.announce.failed(name, sentenceOf(job.error)) : queue.announce.ready(name);
  return { title: "Tapedeck", body };
}

/** @returns a handler that notifies the user of ended conversions while the page is in the background */
export function notifyInBackground({ notifications, isInBackground, show }: BackgroundParts) {
  return ({ ended }: QueueChange): void => {
    if (notifications.getState().choice !== "on" || !isInBackground()) return;
    for (const end of ended) void show({ tag: end.id, ...textsOf(end) });
  };
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
