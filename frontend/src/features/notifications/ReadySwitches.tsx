import { useStore } from "zustand";
import { autoDownloadSwitch, toneSwitch } from "../../client/stores.ts";
import { Icon } from "../../components/icons.tsx";
import { useTexts } from "../../texts/store.ts";
import { NotifySwitch } from "./NotifySwitch.tsx";
import { SwitchButton } from "./SwitchButton.tsx";

/** Sound waves while it is on, a cross while it is off. */
const SpeakerIcon = ({ isLoud }: { isLoud: boolean }) => (
  <Icon>
    <path d="M2.5 7v4h2.8L9 14V4L5.3 7z" />
    <path
      d={isLoud ? "M11.6 6.8a3.2 3.2 0 0 1 0 4.4M13.6 4.6a6.2 6.2 0 0 1 0 8.8" : "M12 7.2l3.6 3.6M15.6 7.2L12 10.8"}
    />
  </Icon>
);

/** An arrow into a tray; in a ring while it is on. */
const AutoDownloadIcon = ({ isOn }: { isOn: boolean }) => (
  <Icon>
    <path d="M9 4.2v6M6 7.6l3 3 3-3M5.4 13.4h7.2" />
    {isOn && <circle cx="9" cy="9" r="7.6" />}
  </Icon>
);

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
