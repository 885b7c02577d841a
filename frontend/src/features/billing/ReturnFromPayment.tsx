import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { activation } from "../../app.ts";
import { notify } from "../../toaster.ts";
import { readReturn, withoutReturn } from "./returned.ts";

/** Takes up where the bank's page left off, and cleans the address, which holds a secret. */
export function ReturnFromPayment() {
  const [search, setSearch] = useSearchParams();
  const outcome = readReturn(search);

  useEffect(() => {
    if (outcome === null) return;
    setSearch(withoutReturn, { replace: true });
    if (outcome === "confirmed") activation.begin();
    else
      notify({
        kind: "error",
        title: "Payment Failed",
        description: "The payment was not confirmed, so nothing was charged. Choose a plan to try again.",
      });
  }, [outcome, setSearch]);

  return null;
}
