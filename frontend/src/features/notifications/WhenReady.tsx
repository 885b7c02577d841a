import { Box } from "@chakra-ui/react";
import { Suspense, lazy } from "react";
import { useStore } from "zustand";
import { autoDownloadSwitch, notifications, toneSwitch } from "../../client/stores.ts";
import { PanelButton } from "../../components/PanelButton.tsx";
import { BellIcon } from "../../components/icons.tsx";
import { useIsHydrated } from "../../components/use-is-hydrated.ts";
import { useTexts } from "../../texts/store.ts";

const ReadySwitches = lazy(() => import("./ReadySwitches.tsx"));

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
        <Box minH="5.5rem">
          <Suspense>
            <ReadySwitches />
          </Suspense>
        </Box>
      )}
    </PanelButton>
  );
}
