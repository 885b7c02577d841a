import { useStore } from "zustand";
import { autoDownloadSwitch, toneSwitch } from "../../client/stores.ts";
import { AutoDownloadIcon, SpeakerIcon } from "../../components/icons.tsx";
import { useIsHydrated } from "../../components/use-is-hydrated.ts";
import { useTexts } from "../../texts/store.ts";
import { SwitchButton } from "./SwitchButton.tsx";

/** Switches the tone for a ready job on and off; plays it when it is switched on. */
export function ToneSwitch() {
  const { isOn, toggle } = useStore(toneSwitch);
  const isHydrated = useIsHydrated();

  async function press(): Promise<void> {
    toggle();
    if (isOn) return;
    const { playTone } = await import("../../ready/tone.ts");
    playTone();
  }

  return (
    <SwitchButton
      label={useTexts().queue.tone}
      isOn={isHydrated && isOn}
      isOffered={isHydrated}
      onPress={() => void press()}
    >
      <SpeakerIcon isLoud={isHydrated && isOn} />
    </SwitchButton>
  );
}

/** Switches the download by itself on and off. */
export function AutoDownloadSwitch() {
  const { isOn, toggle } = useStore(autoDownloadSwitch);
  const isHydrated = useIsHydrated();
  const { autoDownload } = useTexts().queue;
  return (
    <SwitchButton label={autoDownload} isOn={isHydrated && isOn} isOffered={isHydrated} onPress={toggle}>
      <AutoDownloadIcon isOn={isHydrated && isOn} />
    </SwitchButton>
  );
}
