import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { CONTENT_ID } from "../components/layout/Page.tsx";

/**
 * Where a change of page leads to: the section that was asked for, or the page's heading; its content while that is on
 * its way.
 */
function landing(hash: string): HTMLElement | null {
  const section = hash === "" ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
  return section ?? document.querySelector("h1") ?? document.getElementById(CONTENT_ID);
}

/**
 * Takes the keyboard, and what reads the page out, along when a link changes the page without loading
 * it anew. The first page is the browser's own affair.
 */
export function FocusOnNavigation() {
  const { pathname, hash } = useLocation();
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    const target = landing(hash);
    if (!target) return;
    if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
    // Where the page stands is the router's to say, which knows the way back too.
    target.focus({ preventScroll: true });
  }, [pathname, hash]);
  return null;
}
