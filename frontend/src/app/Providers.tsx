import { ChakraProvider } from "@chakra-ui/react";
import { StrictMode, Suspense, lazy } from "react";
import type { ReactNode } from "react";
import { Toasts } from "../components/Toasts.tsx";
import { Announcer } from "../features/notifications/Announcer.tsx";
import { useIsHydrated } from "../components/use-is-hydrated.ts";
import { system } from "../theme/theme.ts";

/** Not part of the first scripts; a page that cannot load it has no tooltips. */
const Tips = lazy(() =>
  import("./Later.tsx").then(
    (module) => ({ default: module.Tips }),
    () => ({ default: () => null }),
  ),
);

/** Contexts, toasts, announcements and tooltips of every page, in the browser and during prerendering. */
export function Providers({ children }: { children: ReactNode }) {
  const isHydrated = useIsHydrated();
  return (
    <StrictMode>
      <ChakraProvider value={system}>
        {children}
        <Toasts />
        <Announcer />
        {isHydrated && (
          <Suspense>
            <Tips />
          </Suspense>
        )}
      </ChakraProvider>
    </StrictMode>
  );
}
