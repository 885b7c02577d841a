import { useStore } from "zustand";
import { autoDownloadSwitch, toneSwitch } from "../../client/stores.ts";
import { AutoDownloadIcon, SpeakerIcon } from "../../components/icons.tsx";
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

/** Loaded with the panel that shows them. */
export default function ReadySwitches() {
  return (
    <>
      <AutoDownloadSwitch />
      <ToneSwitch />
      <NotifySwitch />
    </>
  );
}
