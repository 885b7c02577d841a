import { Button } from "@chakra-ui/react";
import type { ButtonProps } from "@chakra-ui/react";
import { billingActions } from "../../client/client.ts";
import { useBusy } from "../../components/use-busy.ts";
import { useTexts } from "../../texts/store.ts";

/** Button that opens the provider's pages for card, invoices and cancellation. */
export function ManageBilling({ children, ...rest }: ButtonProps) {
  const texts = useTexts().billing;
  const { isBusy, setIsBusy } = useBusy();

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
