import { Button } from "@chakra-ui/react";
import type { ButtonProps } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { billingActions } from "../../client/client.ts";
import { useTexts } from "../../texts/store.ts";

/** Button that opens the provider's pages for card, invoices and cancellation. */
export function ManageBilling({ children, ...rest }: ButtonProps) {
  const texts = useTexts().billing;
  const [isBusy, setIsBusy] = useState(false);

  useEffect(() => {
    // The back button restores the page from the back/forward cache in its busy state.
    const reset = () => setIsBusy(false);
    window.addEventListener("pageshow", reset);
    return () => window.removeEventListener("pageshow", reset);
  }, []);

  async function open(): Promise<void> {
    setIsBusy(true);
    await billingActions.openPortal();
    setIsBusy(false);
  }

  return (
    <Button variant="outline" {...rest} aria-busy={isBusy} disabled={isBusy} onClick={() => void open()}>
      {children ?? texts.manage}
    </Button>
  );
}
