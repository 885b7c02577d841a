import { Button } from "@chakra-ui/react";
import type { ButtonProps } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { billingActions } from "../../client/client.ts";
import { useTexts } from "../../texts/store.ts";

/** Leads to the provider's pages for card, invoices and cancelling. */
export function ManageBilling({ children, ...rest }: ButtonProps) {
  const texts = useTexts().billing;
  const [isBusy, setIsBusy] = useState(false);

  useEffect(() => {
    // Back by the back button: the page is as it was left, busy.
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
