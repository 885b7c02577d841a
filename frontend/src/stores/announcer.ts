/**
 * What screen readers hear about the work: at most one line in {@link QUIET_MS}. While it is quiet, a newer line
 * replaces an older one of the same job, and at the end of the quiet time the newest is announced; or, if jobs have
 * ended meanwhile, all their ends.
 */
import { createStore } from "zustand/vanilla";

export const QUIET_MS = 10_000;

export interface Line {
  /** What the line is about: a job, a batch or the preview. */
  readonly about: string;
  readonly text: string;
  /** An end is never left out for a newer line about something else. */
  readonly isEnd: boolean;
}

export interface AnnouncerState {
  readonly text: string;
  readonly announce: (lines: readonly Line[]) => void;
  /** Drops a line that is not announced yet and is true no longer. */
  readonly withdraw: (about: string) => void;
}

export function createAnnouncerStore() {
  const waiting = new Map<string, Line>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  return createStore<AnnouncerState>()((set) => {
    function speak(): void {
      timer = undefined;
      const lines = [...waiting.values()];
      const ends = lines.filter(({ isEnd }) => isEnd);
      const spoken = ends.length > 0 ? ends : lines.slice(-1);
      waiting.clear();
      if (spoken.length === 0) return;
      timer = setTimeout(speak, QUIET_MS);
      set({ text: spoken.map(({ text }) => text).join(" ") });
    }

    return {
      text: "",
      announce(lines) {
        for (const line of lines) {
          // Deleted first, so that the newest line is the last.
          waiting.delete(line.about);
          waiting.set(line.about, line);
        }
        if (timer === undefined) speak();
      },
      withdraw: (about) => void waiting.delete(about),
    };
  });
}
