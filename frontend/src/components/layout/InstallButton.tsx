import { Button } from "@chakra-ui/react";
import { useStore } from "zustand";
import { installOffer } from "../../platform/install-offer.ts";
import { useTexts } from "../../texts/store.ts";

/** Installs the site as an app; shown only while the browser offers that. */
export function InstallButton() {
  const offer = useStore(installOffer, (state) => state.offer);
  const { install } = useTexts().footer;
  if (offer === null) return null;

  function accept(): void {
    // An offer can be used once; the browser shows its own dialog.
    installOffer.setState({ offer: null });
    void offer?.prompt();
  }

  return (
    <Button variant="outline" size="sm" onClick={accept}>
      {install}
    </Button>
  );
}
