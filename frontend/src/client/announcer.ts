/** The client's one announcer for screen readers, with its hooks. No other part of a page has a live region of its own. */
import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { createAnnouncerStore } from "../stores/announcer.ts";
import type { SpokenLine } from "../stores/announcer.ts";

export const announcer = createAnnouncerStore();

export const useSpokenLine = (): SpokenLine => useStore(announcer, (state) => state.spoken);

/**
 * Announces a text when it changes; an empty one withdraws what was not announced yet.
 * @param about what the text is about; a newer one about the same replaces it
 * @param first whether the text that the component begins with is announced, too
 */
export function useAnnouncement(about: string, text: string, first: "said" | "silent" = "said"): void {
  const last = useRef(first === "said" ? "" : text);
  useEffect(() => {
    if (text === last.current) return;
    last.current = text;
    const { announce, withdraw } = announcer.getState();
    if (text === "") withdraw(about);
    else announce([{ about, text, isEnd: false }]);
  }, [about, text]);
  useEffect(() => () => announcer.getState().withdraw(about), [about]);
}
