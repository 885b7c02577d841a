import { useStore } from "zustand";
import { autoDownloadSwitch, notifications, toneSwitch } from "../../client/stores.ts";
import { PanelButton } from "../../components/PanelButton.tsx";
import { AutoDownloadIcon, BellIcon, SpeakerIcon } from "../../components/icons.tsx";
import { useIsHydrated } from "../../components/use-is-hydrated.ts";
import { useTexts } from "../../texts/store.ts";
import { NotifySwitch } from "./NotifySwitch.tsx";
import { SwitchButton } from "./SwitchButton.tsx";

/** Switches the tone for a ready job on and off; plays it when it is switched on. */
function ToneSwitch() {
  const { isOn, toggle } = useStore(toneSwitch);

  async function press(): Promise<void> {
    toggle();
    if (isOn) return;
    const { playTone } = await import("../../ready/tone.ts");
    playTone();
  }

  return (
    <SwitchButton label={useTexts().queue.tone} isOn={isOn} onPress={() => void press()}>
      <SpeakerIcon isLoud={isOn} />
    </SwitchButton>
  );
}

/** Switches the download by itself on and off. */
function AutoDownloadSwitch() {
  const { isOn, toggle } = useStore(autoDownloadSwitch);
  return (
    <SwitchButton label={useTexts().queue.autoDownload} isOn={isOn} onPress={toggle}>
      <AutoDownloadIcon isOn={isOn} />
    </SwitchButton>
  );
}

function useIsAnyOn(): boolean {
  const isDownloading = useStore(autoDownloadSwitch, ({ isOn }) => isOn);
  const isHeard = useStore(toneSwitch, ({ isOn }) => isOn);
  const isNotified = useStore(notifications, ({ choice }) => choice === "on");
  const isHydrated = useIsHydrated();
  return isHydrated && (isDownloading || isHeard || isNotified);
}

/** What the page does by itself when a job is ready. */
export function WhenReady() {
  const { whenReady } = useTexts().queue;
  const isAnyOn = useIsAnyOn();
  return (
    <PanelButton
      face={
        <>
          <BellIcon isRinging={isAnyOn} />
          {whenReady}
        </>
      }
      name={whenReady}
      variant="ghost"
      px="2"
      color={isAnyOn ? "accent.text" : "fg.muted"}
    >
      {() => (
        <>
          <AutoDownloadSwitch />
          <ToneSwitch />
          <NotifySwitch />
        </>
      )}
    </PanelButton>
  );
}
