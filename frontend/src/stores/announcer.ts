/**
 * All that screen readers hear by itself: at most one line in {@link QUIET_MS}. While it is quiet, a newer line replaces
 * an older one about the same, and at the end of the quiet time the newest is announced; or, if jobs have ended
 * meanwhile, all their ends.
 *
 * Errors are the one exception, because the visitor has caused them and waits for an answer: they interrupt, at once.
 */
import { createStore } from "zustand/vanilla";

export const QUIET_MS = 10_000;

export interface Line {
  /** What the line is about: a job, a batch, the preview, a toast. */
  readonly about: string;
  readonly text: string;
  /** An end is never left out for a newer line about something else. */
  readonly isEnd: boolean;
}

export interface SpokenLine {
  readonly text: string;
  readonly isUrgent: boolean;
  /** Tells apart two lines with the same text, which are both heard. */
  readonly number: number;
}

export interface AnnouncerState {
  readonly spoken: SpokenLine;
  readonly announce: (lines: readonly Line[]) => void;
  /** Announces an error at once. What waits is announced later. */
  readonly interrupt: (text: string) => void;
  /** Drops a line that is not announced yet and is true no longer. */
  readonly withdraw: (about: string) => void;
}

export function createAnnouncerStore() {
  const waiting = new Map<string, Line>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  return createStore<AnnouncerState>()((set) => {
    function say(text: string, isUrgent: boolean): void {
      clearTimeout(timer);
      timer = setTimeout(speak, QUIET_MS);
      set(({ spoken }) => ({ spoken: { text, isUrgent, number: spoken.number + 1 } }));
    }

    function speak(): void {
      timer = undefined;
      const lines = [...waiting.values()];
      const ends = lines.filter(({ isEnd }) => isEnd);
      const spoken = ends.length > 0 ? ends : lines.slice(-1);
      waiting.clear();
      if (spoken.length > 0) say(spoken.map(({ text }) => text).join(" "), false);
    }

    return {
      spoken: { text: "", isUrgent: false, number: 0 },
      announce(lines) {
        for (const line of lines) {
          // Deleted first, so that the newest line is the last.
          waiting.delete(line.about);
          waiting.set(line.about, line);
        }
        if (timer === undefined) speak();
      },
      interrupt: (text) => say(text, true),
      withdraw: (about) => void waiting.delete(about),
    };
  });
}
