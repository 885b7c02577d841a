/** The provider's script: loaded when somebody is about to pay, and never before. */
import { loadStripe } from "@stripe/stripe-js/pure";
import type { Stripe } from "@stripe/stripe-js";
import { useCallback, useEffect, useState } from "react";

export interface PaymentScript {
  readonly publishableKey: string;
  /** In place of the provider's own address; null for that. */
  readonly scriptUrl: string | null;
}

let loaded: Promise<Stripe> | null = null;

/** A script that stands in is there first, so that the loader finds it and fetches nothing. */
async function insert(scriptUrl: string): Promise<void> {
  if (window.Stripe) return;
  const script = document.createElement("script");
  script.src = scriptUrl;
  await new Promise<void>((resolve, reject) => {
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error("the payment script could not be loaded"));
    });
    document.head.append(script);
  });
}

async function load({ publishableKey, scriptUrl }: PaymentScript): Promise<Stripe> {
  if (scriptUrl !== null) await insert(scriptUrl);
  const stripe = await loadStripe(publishableKey);
  if (stripe === null) throw new Error("the payment script needs a browser");
  return stripe;
}

/** Loads once for the life of the page; a failure is forgotten, so that the next call tries again. */
function loadOnce(script: PaymentScript): Promise<Stripe> {
  loaded ??= load(script).catch((error: unknown) => {
    loaded = null;
    throw error;
  });
  return loaded;
}

export type LoadedScript =
  | { readonly phase: "loading" | "failed"; readonly stripe: null }
  | { readonly phase: "ready"; readonly stripe: Stripe };

const LOADING: LoadedScript = { phase: "loading", stripe: null };

/** @returns how far the script is, and a way to try again after a failure */
export function usePaymentScript({ publishableKey, scriptUrl }: PaymentScript): LoadedScript & { retry: () => void } {
  const [state, setState] = useState<LoadedScript>(LOADING);
  const ask = useCallback(() => {
    loadOnce({ publishableKey, scriptUrl }).then(
      (stripe) => setState({ phase: "ready", stripe }),
      () => setState({ phase: "failed", stripe: null }),
    );
  }, [publishableKey, scriptUrl]);
  useEffect(ask, [ask]);
  return {
    ...state,
    retry() {
      setState(LOADING);
      ask();
    },
  };
}
