import { Button } from "@chakra-ui/react";
import type { ButtonProps } from "@chakra-ui/react";
import { createBillingActions } from "../../actions/billing-actions.ts";
import { accountApi } from "../../api/account-api.ts";
import { notify } from "../../client/toaster.ts";
import { useBusy } from "../../components/use-busy.ts";
import { useTexts } from "../../texts/store.ts";

const billingActions = createBillingActions({ api: accountApi, notify, goTo: (url) => window.location.assign(url) });

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
