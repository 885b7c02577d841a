/** Who is signed in at this browser, and what was used this month. */
import { createStore } from "zustand/vanilla";
import type { Usage, User } from "../../../common/api.ts";

export interface UserState {
  /** `loading` until the server has said who it is. */
  readonly phase: "loading" | "signed-in" | "signed-out";
  readonly user: User | null;
  /** Of the month that is; null until it is known. */
  readonly usage: Usage | null;
  /** On the way out: pages stay as they are until the browser has left them. */
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

/** How a person is addressed. */
export function nameOf(user: User): string {
  return user.firstName?.trim() || user.email;
}
