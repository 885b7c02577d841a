/** Puts links that are pasted, dropped or shared to the page into the right form. */
import { createStore } from "zustand/vanilla";
import type { BatchStore } from "./batch.ts";
import { findLinks } from "./batch.ts";
import type { ConverterStore } from "./converter.ts";
import { firstLinkIn, linksIn } from "./links.ts";

/** Several links that arrived at once. */
export interface SeveralLinks {
  readonly count: number;
  /** The text that they became: of the batch form, or the one link in the single field. */
  readonly text: string;
}

export interface IntakeState {
  /** The last links that arrived together; a hint about them is shown until their text is changed. */
  readonly several: SeveralLinks | null;
  /** Links have arrived, and the filled field is not focused yet. */
  readonly needsFocus: boolean;
  readonly focused: () => void;
  /** Fills the form with the links of a text. @returns false when the text has no link; then nothing changes */
  readonly takeLinks: (text: string) => boolean;
}

export interface IntakeParts {
  readonly converter: ConverterStore;
  readonly batch: BatchStore;
  readonly videoHosts: () => readonly string[];
  readonly canBatch: () => boolean;
}

export function createIntakeStore({ converter, batch, videoHosts, canBatch }: IntakeParts) {
  return createStore<IntakeState>()((set) => {
    const finish = (several: SeveralLinks | null) => set({ several, needsFocus: true });

    function fillBatch(text: string, links: readonly string[]): void {
      const { isChosen, text: before, choose, setText } = batch.getState();
      // With one link per line the other lines stay; the user sees them rejected when the batch starts.
      const isOnePerLine = findLinks(text, videoHosts()).links.length === links.length;
      const added = isOnePerLine ? text.trim() : links.join("\n");
      const newText = isChosen && before.trim() !== "" ? `${before.trimEnd()}\n${added}` : added;
      choose(true);
      setText(newText);
      finish(links.length > 1 ? { count: links.length, text: newText } : null);
    }

    return {
      several: null,
      needsFocus: false,
      focused: () => set({ needsFocus: false }),
      takeLinks(text) {
        const links = linksIn(text, videoHosts());
        const isBatch = canBatch() && (links.length > 1 || (links.length === 1 && batch.getState().isChosen));
        if (isBatch) {
          fillBatch(text, links);
          return true;
        }
        // A single word without a link goes into the field too, where the user can correct it.
        const link = firstLinkIn(text, videoHosts()) ?? (/^\s*\S+\s*$/.test(text) ? text.trim() : null);
        if (link === null || converter.getState().isPending) return false;
        converter.getState().setLink(link);
        finish(links.length > 1 ? { count: links.length, text: link } : null);
        return true;
      },
    };
  });
}
