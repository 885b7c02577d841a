import { useStore } from "zustand";
import { notifications } from "../../client/stores.ts";
import { BellIcon } from "../../components/icons.tsx";
import { currentTexts, useTexts } from "../../texts/store.ts";
import { notify } from "../../client/toaster.ts";
import { SwitchButton } from "./SwitchButton.tsx";

/** Switches notifications on and off; off by default. Only its click requests the browser's permission. */
export function NotifySwitch() {
  const { choice, toggle } = useStore(notifications);
  const { label } = useTexts().queue.notify;
  const isOn = choice === "on";

  async function press(): Promise<void> {
    await toggle();
    const { label: title, blocked: description } = currentTexts().queue.notify;
    if (notifications.getState().choice === "blocked") notify({ kind: "info", title, description });
  }

  if (choice === "unable") return null;
  return (
    <SwitchButton label={label} isOn={isOn} onPress={() => void press()}>
      <BellIcon isRinging={isOn} />
    </SwitchButton>
  );
}
