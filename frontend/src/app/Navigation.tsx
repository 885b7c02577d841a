import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { CONTENT_ID } from "../components/layout/Page.tsx";

/** @returns the element to focus: the section of the hash, else the heading, else the content while the page loads */
function findTarget(hash: string): HTMLElement | null {
  const section = hash === "" ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
  return section ?? document.querySelector("h1") ?? document.getElementById(CONTENT_ID);
}

/**
 * Moves the focus to the new content after a client-side navigation, for keyboard and screen reader users.
 * The browser itself handles the first page.
 */
export function FocusOnNavigation() {
  const { pathname, hash } = useLocation();
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    const target = findTarget(hash);
    if (!target) return;
    if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
    // The router restores the scroll position, also for the back button.
    target.focus({ preventScroll: true });
  }, [pathname, hash]);
  return null;
}
