import { useLayoutEffect, useRef } from "react";
import type { RefObject } from "react";

/** @returns whether the component is in the page, for what goes on after the visitor has left it */
export function useIsInPage(): Readonly<RefObject<boolean>> {
  const isInPage = useRef(false);
  // Not `useEffect`: its end may come some time after the component has left the page.
  useLayoutEffect(() => {
    isInPage.current = true;
    return () => void (isInPage.current = false);
  }, []);
  return isInPage;
}
