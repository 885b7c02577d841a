/** Puts links that are pasted, dropped or shared to the page into the right form. */
import { createStore } from "zustand/vanilla";
import type { BatchStore } from "./batch.ts";
import type { ConverterStore } from "./converter.ts";
import { isPlain, readText, type FoundText } from "./text-reader.ts";

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
  /**
   * Fills the form with the links of a text: at once with a single undamaged one, else as soon as the text can be read.
   * @param isAmongOthers whether it is pasted into a text: then only its links count, and not what can be corrected
   * @returns false when the text has no link; then nothing changes
   */
  readonly takeLinks: (text: string, isAmongOthers?: boolean) => Promise<boolean>;
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

    function fillBatch(lines: string, count: number): void {
      const { isChosen, text: before, choose, setText } = batch.getState();
      const newText = isChosen && before.trim() !== "" ? `${before.trimEnd()}\n${lines}` : lines;
      choose(true);
      setText(newText);
      finish(count > 1 ? { count, text: newText } : null);
    }

    function take({ links, lines, other }: Pick<FoundText, "links" | "lines" | "other">): boolean {
      const { link: shown, isPending, setLink } = converter.getState();
      const count = links.length;
      if (canBatch() && (count > 1 || (count === 1 && batch.getState().isChosen))) {
        fillBatch(lines, count);
        // A text that was pasted into the field is in the batch now.
        if (links.some((link) => shown.includes(link))) setLink("");
        return true;
      }
      const link = links[0] ?? other;
      if (!link || isPending) return false;
      setLink(link);
      finish(count > 1 ? { count, text: link } : null);
      return true;
    }

    return {
      several: null,
      needsFocus: false,
      focused: () => set({ needsFocus: false }),
      async takeLinks(text, isAmongOthers = false) {
        const line = text.trim();
        if (isPlain(line, videoHosts())) return take({ links: [line], lines: line, other: null });
        // Where the text cannot be read, the server takes the links out of it.
        const found = (await readText(text, videoHosts())) ?? { links: [], lines: "", other: line };
        return take(isAmongOthers ? { ...found, other: null } : found);
      },
    };
  });
}
