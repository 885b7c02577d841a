/** Links that arrive outside of a field: pasted anywhere, or shared by another app. */
import { useEffect, useLayoutEffect } from "react";
import type { RefObject } from "react";
import { parseUrl } from "../../../../common/parse-url.ts";
import { Format } from "../../../../common/tiers.ts";
import { chooseFormat, startConversion, takeLinks, useIntake } from "../../client/converter.ts";
import { mayHoldLink } from "../../stores/text-reader.ts";
import { laterScript } from "../../platform/later-script.ts";
import { EDITABLE } from "../../platform/transferred-text.ts";

/** Query parameters of a share, as in the manifest; `link` is the field's own, of a form that the browser submitted. */
const SHARED = ["url", "text", "title", "link"] as const;

/** Most links name no part. */
const linkedPart = laterScript(() => import("../../client/linked-part.ts"));

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(EDITABLE) !== null;

/** Takes text that is pasted outside of a field. */
export function usePasteAnywhere(): void {
  useEffect(() => {
    function onPaste(event: ClipboardEvent): void {
      // A focused radio button takes no text.
      const isField =
        isEditable(event.target) && !(event.target instanceof HTMLInputElement && event.target.type === "radio");
      if (event.defaultPrevented || isField) return;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      // A single word goes into the field, where it can be corrected.
      if (/\S\s+\S/.test(text) && !mayHoldLink(text)) return;
      event.preventDefault();
      void takeLinks(text);
    }
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, []);
}

/**
 * Takes text that was typed or pasted into the prerendered field before the app was live, which it is with the effects of
 * the same render: a layout effect would miss what is typed in between.
 */
export function useEarlyText(field: RefObject<HTMLInputElement | null>, setText: (text: string) => void): void {
  useEffect(() => {
    const earlyText = field.current?.value ?? "";
    if (earlyText !== field.current?.defaultValue) setText(earlyText);
  }, [field, setText]);
}

/** Whether the referrer is this site. A link on another site may fill the field, but must not start a conversion. */
const isFromHere = (): boolean => parseUrl(document.referrer)?.origin === window.location.origin;

/**
 * Takes a shared link from `/?url=…&text=…&title=…` and removes it from the URL, so that a reload does not take it
 * again. `&from=…&to=…` choose a part of it. `/?link=…&format=…` is the form, submitted without a script: its conversion starts now.
 */
export function useSharedLink(): void {
  useLayoutEffect(() => {
    const address = new URL(window.location.href);
    const shared = SHARED.map((name) => address.searchParams.get(name) ?? "").join("\n");
    if (shared.trim() === "") return;
    // A form submitted by the browser contains all of its fields.
    const isEarlyEnter = address.searchParams.has("link");
    const format = Format.safeParse(address.searchParams.get("format"));
    const named = new URLSearchParams(address.search);
    if (isEarlyEnter) address.search = "";
    else [...SHARED, "format", "from", "to"].forEach((name) => address.searchParams.delete(name));
    window.history.replaceState(window.history.state, "", address);
    const take = async (): Promise<void> => {
      // Before the link can be converted, since nobody wants all of it.
      const script = named.has("from") ? await linkedPart.load() : null;
      if (!(await takeLinks(shared))) return;
      if (format.success) chooseFormat(format.data);
      script?.chooseLinkedPart(named);
      if (isEarlyEnter && isFromHere()) void startConversion();
    };
    void take();
  }, []);
}

/** Focuses the field when links have arrived in it. */
export function useFocusOnArrival(field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>): void {
  const { needsFocus, focused } = useIntake((state) => state);
  useEffect(() => {
    if (!needsFocus) return;
    field.current?.focus();
    focused();
  }, [needsFocus, focused, field]);
}
