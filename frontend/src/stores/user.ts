/** The signed-in user and this month's usage. */
import { createStore } from "zustand/vanilla";
import type { Usage, User } from "../../../common/api.ts";

export interface UserState {
  /** `loading` until the server's response has arrived. */
  readonly phase: "loading" | "signed-in" | "signed-out";
  readonly user: User | null;
  /** Usage of the current month; null until it is known. */
  readonly usage: Usage | null;
  /** The user is signing out: pages stay as they are until the browser leaves them. */
  readonly isLeaving: boolean;
  readonly receiveUser: (user: User | null) => void;
  readonly receiveUsage: (usage: Usage) => void;
  readonly leave: () => void;
}

export type UserStore = ReturnType<typeof createUserStore>;

export function createUserStore() {
  return createStore<UserState>()((set) => ({
    phase: "loading",
    user: null,
    usage: null,
    isLeaving: false,
    receiveUser: (user) => set({ user, phase: user ? "signed-in" : "signed-out", usage: user?.usage ?? null }),
    receiveUsage: (usage) => set({ usage }),
    leave: () => set({ isLeaving: true }),
  }));
}

/** The name to show: the first name, or the email address without one. */
export function nameOf(user: User): string {
  return user.firstName?.trim() || user.email;
}
