import { lazy, useState } from "react";
import type { ComponentType, ReactNode } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Failure } from "../components/Failure.tsx";

/** A page of the site. */
export interface SiteRoute {
  readonly path: string;
  readonly element: ReactNode;
  /** Loads the page's script, after which the page renders at once. Rejects when the script is missing. */
  readonly load?: () => Promise<void>;
}

/**
 * @param name of the page in its script
 * @returns a page whose script loads when the page is opened, and again when it is opened after a failure
 */
export function laterPage<Name extends string>(
  path: string,
  loadScript: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): SiteRoute {
  const loadPage = async (): Promise<ComponentType> => (await loadScript())[name];
  let Loaded: ComponentType | undefined;
  const load = async (): Promise<void> => {
    Loaded ??= await loadPage();
  };
  const whenLoaded = () => lazy(async () => ({ default: await loadPage() }));
  let Later = whenLoaded();
  // React keeps a rejection. Forgotten earlier, it would load the page again and again before it shows the failure.
  const forgetFailure = (): void => {
    Later = whenLoaded();
  };

  function LaterPage() {
    // Stays the same component, or React would begin the page anew.
    const [Page] = useState(() => Loaded ?? Later);
    return (
      <ErrorBoundary fallback={<Failure />} onError={forgetFailure}>
        <Page />
      </ErrorBoundary>
    );
  }
  return { path, element: <LaterPage />, load };
}
