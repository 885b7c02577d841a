import type { NotificationsStore } from "../stores/notifications.ts";
import { currentTexts, sentenceOf } from "../texts/store.ts";
import { nameOf, outcomeOf } from "./ended-words.ts";
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

function textsOf({ jobs }: Ended): { title: string; body: string } {
  const { queue } = currentTexts();
  const [job] = jobs;
  const name = nameOf(jobs);
  if (job?.batchId !== undefined) return { title: name, body: outcomeOf(jobs) };
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
