/** What the visitor has chosen for the video in the field, beside the format. */
import { createStore } from "zustand/vanilla";
import type { Format } from "../../../common/tiers.ts";
import { chosen, SHORTEST_PART_SECONDS, type ConversionChoices } from "../../../common/choices.ts";

export interface ChoicesState {
  /** Undefined when nothing is chosen. */
  readonly choices: ConversionChoices | undefined;
  /** Whether the choices are shown. */
  readonly isOpen: boolean;
  /** Changes some of them; undefined takes a choice back. */
  readonly choose: (change: Readonly<Partial<ConversionChoices>>) => void;
  /**
   * Takes the moment that the link names as the start, once for a video: a visitor who has opened the choices sees it.
   * @param startSeconds undefined for a link without a moment
   */
  readonly takeStart: (startSeconds: number | undefined, durationSeconds: number) => void;
  readonly setOpen: (isOpen: boolean) => void;
  /** Must be called when another video is in the field: choices are about one video. */
  readonly clear: () => void;
}

/**
 * @returns the choices that a format has: only MP4 and transcript take subtitles, a transcript is one file, and nothing
 * can be cut out of a copied sound
 */
export function choicesFor(format: Format, choices: ConversionChoices | undefined): ConversionChoices | undefined {
  if (choices === undefined) return undefined;
  if (format === "transcript") return chosen({ ...choices, chapterFiles: undefined, sponsored: undefined });
  const language = choices.subtitles?.language;
  const subtitles = format === "mp4" && language !== undefined ? { language } : undefined;
  const isCopied = format === "original" && choices.sponsored === "cut";
  return chosen({ ...choices, subtitles, sponsored: isCopied ? undefined : choices.sponsored });
}

/** @returns of the choices that a format has those that several videos can have in common */
export function choicesForMany(format: Format, choices: ConversionChoices | undefined): ConversionChoices | undefined {
  if (choices === undefined) return undefined;
  const { soundLanguage, subtitles, sponsored, album } = choices;
  return choicesFor(format, { soundLanguage, subtitles, sponsored, album });
}

export function createChoicesStore() {
  let isStartTaken = false;
  return createStore<ChoicesState>()((set, get) => ({
    choices: undefined,
    isOpen: false,
    choose: (change) => set(({ choices }) => ({ choices: chosen({ ...choices, ...change }) })),
    takeStart(startSeconds, endSeconds) {
      if (isStartTaken) return;
      isStartTaken = true;
      if (startSeconds !== undefined && startSeconds + SHORTEST_PART_SECONDS <= endSeconds)
        get().choose({ part: { startSeconds, endSeconds } });
    },
    setOpen: (isOpen) => set({ isOpen }),
    clear() {
      isStartTaken = false;
      set({ choices: undefined, isOpen: false });
    },
  }));
}
