import { ChakraProvider } from "@chakra-ui/react";
import { StrictMode, useEffect } from "react";
import type { ReactNode } from "react";
import { Tips } from "../components/Tips.tsx";
import { Toasts } from "../components/Toasts.tsx";
import { PageLocale } from "../texts/PageLocale.tsx";
import { system } from "../theme/theme.ts";

/**
 * Contexts, toasts and tooltips of every page, in the browser and during prerendering.
 * @param onReady called when the page can be used; not called during prerendering
 */
export function Providers({ onReady, children }: { onReady?: () => void; children: ReactNode }) {
  useEffect(() => onReady?.(), [onReady]);
  return (
    <StrictMode>
      <ChakraProvider value={system}>
        <PageLocale>
          {children}
          <Toasts />
          <Tips />
        </PageLocale>
      </ChakraProvider>
    </StrictMode>
  );
}
