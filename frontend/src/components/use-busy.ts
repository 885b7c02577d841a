import { useEffect, useState } from "react";

/**
 * State of a button whose click leaves the page. It is reset when the back button restores the page from the
 * back/forward cache, which would restore the busy state too.
 */
export function useBusy() {
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    const reset = () => setIsBusy(false);
    window.addEventListener("pageshow", reset);
    return () => window.removeEventListener("pageshow", reset);
  }, []);
  return { isBusy, setIsBusy };
}
