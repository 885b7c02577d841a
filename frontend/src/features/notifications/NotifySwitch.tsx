import { useStore } from "zustand";
import { notifications } from "../../client/stores.ts";
import { BellIcon } from "../../components/icons.tsx";
import { useIsHydrated } from "../../components/use-is-hydrated.ts";
import { currentTexts, useTexts } from "../../texts/store.ts";
import { notify } from "../../client/toaster.ts";
import { SwitchButton } from "./SwitchButton.tsx";

/** Switches notifications on and off; off by default. Only its click requests the browser's permission. */
export function NotifySwitch() {
  const { choice, toggle } = useStore(notifications);
  const { label } = useTexts().queue.notify;
  const isHydrated = useIsHydrated();
  const isOn = isHydrated && choice === "on";
  const isOffered = isHydrated && choice !== "unable";

  async function press(): Promise<void> {
    await toggle();
    const { label: title, blocked: description } = currentTexts().queue.notify;
    if (notifications.getState().choice === "blocked") notify({ kind: "info", title, description });
  }

  return (
    <SwitchButton label={label} isOn={isOn} isOffered={isOffered} onPress={() => void press()}>
      <BellIcon isRinging={isOn} />
    </SwitchButton>
  );
}
