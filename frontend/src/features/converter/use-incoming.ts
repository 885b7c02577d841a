/** Links that reach the page past its fields: pasted anywhere, or shared to it by another app. */
import { useEffect, useLayoutEffect } from "react";
import type { RefObject } from "react";
import { Format } from "../../../../common/tiers.ts";
import { chooseFormat, startConversion, take, useIntake } from "../../client/client.ts";

const EDITABLE = "input, textarea, select, [contenteditable]:not([contenteditable=false])";

/**
 * What a share leaves in the address; the manifest names them. The last is the field's own, if Enter came before the
 * page could listen.
 */
const SHARED = ["url", "text", "title", "link"] as const;

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(EDITABLE) !== null;

/** A paste that no field takes is the converter's. */
export function usePasteAnywhere(): void {
  useEffect(() => {
    function onPaste(event: ClipboardEvent): void {
      // Radio buttons and the like hold the focus too, but take no text.
      const isField =
        isEditable(event.target) && !(event.target instanceof HTMLInputElement && event.target.type === "radio");
      if (event.defaultPrevented || isField) return;
      if (take(event.clipboardData?.getData("text/plain") ?? "")) event.preventDefault();
    }
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, []);
}

/** What was typed or pasted into a page drawn at build time, before there was anybody to listen. */
export function useEarlyText(field: RefObject<HTMLInputElement | null>, setText: (text: string) => void): void {
  useLayoutEffect(() => {
    const early = field.current?.value ?? "";
    if (early !== field.current?.defaultValue) setText(early);
  }, [field, setText]);
}

/** Whether the page was asked for by a page of ours. Somebody else's link may fill the field, but starts nothing. */
const isFromHere = (): boolean => URL.parse(document.referrer)?.origin === window.location.origin;

/**
 * `/?url=…&text=…&title=…` fills the converter once; the address is cleaned, so that a reload does not do it again.
 * `/?link=…&format=…` is an Enter that came before the page could listen: it counts now.
 */
export function useSharedLink(): void {
  useLayoutEffect(() => {
    const address = new URL(window.location.href);
    const shared = SHARED.map((name) => address.searchParams.get(name) ?? "").join("\n");
    if (shared.trim() === "") return;
    // A form sent by the browser itself names all of its parts.
    const isEarlyEnter = address.searchParams.has("link");
    const format = Format.safeParse(address.searchParams.get("format"));
    if (isEarlyEnter) address.search = "";
    else SHARED.forEach((name) => address.searchParams.delete(name));
    window.history.replaceState(window.history.state, "", address);
    if (!take(shared) || !isEarlyEnter) return;
    if (format.success) chooseFormat(format.data);
    if (isFromHere()) void startConversion();
  }, []);
}

/** Whatever came in waits for Enter in the field it was put into. */
export function useFocusOnArrival(field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>): void {
  const { needsFocus, focused } = useIntake((state) => state);
  useEffect(() => {
    if (!needsFocus) return;
    field.current?.focus();
    focused();
  }, [needsFocus, focused, field]);
}
