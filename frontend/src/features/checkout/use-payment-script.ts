/** Loads the payment provider's script, only when a user is about to pay. */
import { loadStripe } from "@stripe/stripe-js/pure";
import type { Stripe } from "@stripe/stripe-js";
import { useCallback, useEffect, useState } from "react";

export interface PaymentScript {
  readonly publishableKey: string;
  /** Replaces the provider's URL; null for the provider's own. */
  readonly scriptUrl: string | null;
}

let loaded: Promise<Stripe> | null = null;

/** Inserts the stand-in script first, so that the provider's loader finds it and loads nothing. */
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

/** Loads once per page; after a failure the next call loads again. */
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

/**
 * Loads the payment provider's script.
 * @returns the state of loading, and a function to load again after a failure
 */
export function usePaymentScript({ publishableKey, scriptUrl }: PaymentScript): LoadedScript & { retry: () => void } {
  const [state, setState] = useState<LoadedScript>(LOADING);
  const startLoading = useCallback(() => {
    loadOnce({ publishableKey, scriptUrl }).then(
      (stripe) => setState({ phase: "ready", stripe }),
      () => setState({ phase: "failed", stripe: null }),
    );
  }, [publishableKey, scriptUrl]);
  useEffect(startLoading, [startLoading]);
  return {
    ...state,
    retry() {
      setState(LOADING);
      startLoading();
    },
  };
}
