/** Toasts: one is shown at a time and closes after a few seconds, unless the pointer or the focus is on it. */
import { createStore } from "zustand/vanilla";
import type { Notice } from "./notice.ts";
import { PausableTimer } from "./pausable-timer.ts";

/** Long enough to read two short sentences. */
export const TOAST_DURATION_MS = 5_000;
/** A dismissed toast is removed from memory after this time. */
export const TOAST_REMOVAL_MS = 1_000_000;

export interface Toast extends Notice {
  readonly id: number;
  readonly isOpen: boolean;
}

/** What keeps a toast open: the pointer over it, or the keyboard focus in it. */
export type Hold = "pointer" | "focus";

export interface ToastsState {
  /** Newest first; at most the first is open. */
  readonly toasts: readonly Toast[];
  /** Shows a toast in place of the current one. */
  readonly show: (notice: Notice) => void;
  /** Does nothing when the toast is closed already. */
  readonly dismiss: (id: number) => void;
  readonly hold: (by: Hold) => void;
  /** After the last hold is released, the toast stays open for the rest of its time. */
  readonly release: (by: Hold) => void;
}

export function createToastsStore() {
  const holds = new Set<Hold>();
  const timer = new PausableTimer();
  let lastId = 0;

  return createStore<ToastsState>()((set, get) => {
    function startTimer(): void {
      const shown = get().toasts[0];
      if (shown?.isOpen && holds.size === 0) timer.start(() => get().dismiss(shown.id));
    }

    function close(id: number): void {
      timer.stop();
      set(({ toasts }) => ({ toasts: toasts.map((toast) => (toast.id === id ? { ...toast, isOpen: false } : toast)) }));
      setTimeout(() => set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })), TOAST_REMOVAL_MS);
    }

    return {
      toasts: [],
      show(notice) {
        const shown = get().toasts[0];
        if (shown?.isOpen) close(shown.id);
        lastId += 1;
        timer.reset(TOAST_DURATION_MS);
        set(({ toasts }) => ({ toasts: [{ ...notice, id: lastId, isOpen: true }, ...toasts] }));
        startTimer();
      },
      dismiss(id) {
        if (!get().toasts.some((toast) => toast.id === id && toast.isOpen)) return;
        close(id);
        // Browsers do not always send the leave and blur events of a removed element.
        holds.clear();
      },
      hold(by) {
        holds.add(by);
        timer.pause();
      },
      release(by) {
        if (holds.delete(by)) startTimer();
      },
    };
  });
}
