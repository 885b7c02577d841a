import { Button } from "@chakra-ui/react";
import { useEffect } from "react";
import { useStore } from "zustand";
import { jobsStore } from "../../client/client.ts";
import { BellIcon } from "../../components/icons.tsx";
import { useIsHydrated } from "../../components/use-is-hydrated.ts";
import { createNotificationsStore } from "../../stores/notifications.ts";
import { currentTexts, useTexts } from "../../texts/store.ts";
import { notify } from "../../client/toaster.ts";
import { notifyInBackground, showNotification } from "./notify-in-background.ts";

const notifications = createNotificationsStore({
  permissions: typeof Notification === "undefined" ? undefined : Notification,
  storage: () => window.localStorage,
});

/** Switches notifications on and off; off by default. Only its click requests the browser's permission. */
export function NotifySwitch() {
  const { choice, toggle } = useStore(notifications);
  const { label } = useTexts().queue.notify;
  const isHydrated = useIsHydrated();
  const isOn = isHydrated && choice === "on";
  const isOffered = isHydrated && choice !== "unable";

  useEffect(
    () =>
      notifyInBackground({
        jobs: jobsStore,
        notifications,
        isInBackground: () => document.visibilityState === "hidden",
        show: showNotification,
      }),
    [],
  );

  async function press(): Promise<void> {
    await toggle();
    const { label: title, blocked: description } = currentTexts().queue.notify;
    if (notifications.getState().choice === "blocked") notify({ kind: "info", title, description });
  }

  return (
    <Button
      variant="ghost"
      size="sm"
      px="0"
      my="-3"
      alignSelf="center"
      visibility={isOffered ? "visible" : "hidden"}
      aria-label={label}
      aria-pressed={isOn}
      data-tip={label}
      color={isOn ? "accent.text" : "fg.muted"}
      onClick={() => void press()}
    >
      <BellIcon isRinging={isOn} />
    </Button>
  );
}
