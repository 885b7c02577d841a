/** Links that come into the page by themselves, pasted, dropped or shared, and where they go. */
import { createStore } from "zustand/vanilla";
import type { BatchStore } from "./batch.ts";
import { findLinks } from "./batch.ts";
import type { ConverterStore } from "./converter.ts";
import { firstLinkIn, linksIn } from "./links.ts";

/** Several links at once, and what was done with them. */
export interface SeveralLinks {
  readonly count: number;
  /** What they became: the text of the batch, or the one link that a single field keeps. */
  readonly text: string;
}

export interface IntakeState {
  /** The last several that came; they are spoken of for as long as they stand where they were put. */
  readonly several: SeveralLinks | null;
  /** Something has come, and the field that was filled has yet to take the focus. */
  readonly hasArrived: boolean;
  readonly landed: () => void;
  /** Fills the converter with the links of a text. False, and nothing done, when there is nothing to take. */
  readonly take: (text: string) => boolean;
}

export interface IntakeParts {
  readonly converter: ConverterStore;
  readonly batch: BatchStore;
  readonly videoHosts: () => readonly string[];
  readonly canBatch: () => boolean;
}

export type IntakeStore = ReturnType<typeof createIntakeStore>;

export function createIntakeStore({ converter, batch, videoHosts, canBatch }: IntakeParts) {
  return createStore<IntakeState>()((set) => {
    const arrive = (several: SeveralLinks | null) => set({ several, hasArrived: true });

    function fillBatch(text: string, links: readonly string[]): void {
      const { isChosen, text: before, choose, setText } = batch.getState();
      // Lines that are no links stay, and are named when the batch starts.
      const isOneALine = findLinks(text, videoHosts()).links.length === links.length;
      const added = isOneALine ? text.trim() : links.join("\n");
      const whole = isChosen && before.trim() !== "" ? `${before.trimEnd()}\n${added}` : added;
      choose(true);
      setText(whole);
      arrive(links.length > 1 ? { count: links.length, text: whole } : null);
    }

    return {
      several: null,
      hasArrived: false,
      landed: () => set({ hasArrived: false }),
      take(text) {
        const links = linksIn(text, videoHosts());
        const isBatch = canBatch() && (links.length > 1 || (links.length === 1 && batch.getState().isChosen));
        if (isBatch) {
          fillBatch(text, links);
          return true;
        }
        // A word on its own goes into the field too, where it can be seen and mended.
        const link = firstLinkIn(text, videoHosts()) ?? (/^\s*\S+\s*$/.test(text) ? text.trim() : null);
        if (link === null || converter.getState().isPending) return false;
        converter.getState().setLink(link);
        arrive(links.length > 1 ? { count: links.length, text: link } : null);
        return true;
      },
    };
  });
}
