import { useEffect, useRef } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";
import { CONTENT_ID } from "../components/layout/Page.tsx";

function sectionOf(hash: string): HTMLElement | null {
  return hash === "" ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
}

/** Moves the focus to the section of the hash, else to the heading, else to the content while the page loads. */
function focusContent(hash: string): void {
  const target = sectionOf(hash) ?? document.querySelector("h1") ?? document.getElementById(CONTENT_ID);
  if (!target) return;
  if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

function scrollToContent(hash: string): void {
  const section = sectionOf(hash);
  if (section) section.scrollIntoView();
  else window.scrollTo(0, 0);
}

/**
 * After a navigation in the app: opens the new content at its top or at the section of the hash, and moves the focus
 * there, for keyboard and screen reader users. The browser itself does both for the first page, and restores the
 * scroll position on the way back: React renders at once then, so the content is there.
 */
export function Navigation() {
  const { key, pathname, hash } = useLocation();
  const type = useNavigationType();
  const shown = useRef({ key, pathname });
  useEffect(() => {
    const before = shown.current;
    shown.current = { key, pathname };
    if (before.pathname !== pathname) focusContent(hash);
    if (before.key !== key && type !== NavigationType.Pop) scrollToContent(hash);
  }, [key, pathname, hash, type]);
  return null;
}
