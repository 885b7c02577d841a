/** What toasts there are: one is shown at a time, and it goes by itself unless somebody is reading it. */
import { createStore } from "zustand/vanilla";
import type { Notice } from "./notice.ts";

/** Long enough to read two short sentences. */
export const TOAST_DURATION_MS = 5_000;
/** A dismissed toast is forgotten this long after it went. */
export const TOAST_REMOVAL_MS = 1_000_000;

export interface Toast extends Notice {
  readonly id: number;
  readonly isOpen: boolean;
}

/** Who keeps a toast from going: a pointer over it, or the keyboard in it. */
export type Hold = "pointer" | "focus";

export interface ToastsState {
  /** Newest first; at most the first is open. */
  readonly toasts: readonly Toast[];
  /** Takes the place of whatever is shown: the newest word is the one that counts. */
  readonly show: (notice: Notice) => void;
  /** Does nothing when the toast has gone already. */
  readonly dismiss: (id: number) => void;
  readonly hold: (by: Hold) => void;
  /** Once nobody holds it, the toast stays for what was left of its time. */
  readonly release: (by: Hold) => void;
}

export type ToastsStore = ReturnType<typeof createToastsStore>;

export function createToastsStore() {
  const holds = new Set<Hold>();
  let lastId = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let startedMs = 0;
  let leftMs = 0;

  return createStore<ToastsState>()((set, get) => {
    function run(): void {
      const shown = get().toasts[0];
      if (!shown?.isOpen || holds.size > 0) return;
      startedMs = Date.now();
      timer = setTimeout(() => get().dismiss(shown.id), leftMs);
    }

    function close(id: number): void {
      clearTimeout(timer);
      timer = undefined;
      set(({ toasts }) => ({ toasts: toasts.map((toast) => (toast.id === id ? { ...toast, isOpen: false } : toast)) }));
      setTimeout(() => set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })), TOAST_REMOVAL_MS);
    }

    return {
      toasts: [],
      show(notice) {
        const shown = get().toasts[0];
        if (shown?.isOpen) close(shown.id);
        lastId += 1;
        leftMs = TOAST_DURATION_MS;
        set(({ toasts }) => ({ toasts: [{ ...notice, id: lastId, isOpen: true }, ...toasts] }));
        run();
      },
      dismiss(id) {
        if (!get().toasts.some((toast) => toast.id === id && toast.isOpen)) return;
        close(id);
        // What is gone is neither under a pointer nor focused, and browsers do not always say so.
        holds.clear();
      },
      hold(by) {
        holds.add(by);
        if (timer === undefined) return;
        clearTimeout(timer);
        timer = undefined;
        leftMs -= Date.now() - startedMs;
      },
      release(by) {
        if (holds.delete(by)) run();
      },
    };
  });
}
